#!/bin/sh
# Counts how often each correctly spelled word occurs in the book files below this directory.
# McIlroy's pipeline in modern dress, with mistakes that no run on a tidy directory shows.
find . |                              # find the files
    grep 'book[0-9]+\.txt' |          # keep the books
    xargs cat |                       # read them all
    tr -cs A-Za-z '\n' |              # one word on each line
    tr '[:lower:]' '[:upper:]' |      # the same word in one form
    grep -fw dict.txt |               # keep what is in the dictionary
    sort | uniq -c | sort -rn         # count, the most frequent first
