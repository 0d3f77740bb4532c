# The files that trials read, made in the current directory.
set -eu
umask 022
printf 'apple 3\nbanana 12\n\ncherry 7\n' >fruit.txt
printf 'a 1\nb 2\nc 3\n' >left.txt
printf 'a x\nc y\nd z' >right.txt
printf '10\n9\n2\n' >numbers.txt
printf 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/usr/sbin:/usr/sbin/nologin\n' >passwd
printf 'foo\nbar\n' >patterns
: >empty
printf '{"name":"x y","n":3,"list":["a","b"],"deep":{"k":null}}\n' >data.json
mkdir -p dir/sub 'dir/with blank'
printf 'x\n' >dir/one.log
printf 'y foo\n' >'dir/with blank/two words.txt'
printf 'z\n' >dir/sub/.hidden
ln -s ../fruit.txt dir/link
ln -s nowhere dangling
mkfifo pipe
chmod 4755 patterns
HOME=$PWD
export HOME GIT_CONFIG_NOSYSTEM=1
if command -v git >/dev/null; then
  mkdir repo
  cd repo
  git init -q -b main .
  git config user.name 'A U Thor'
  git config user.email author@example.com
  printf 'one\n' >file
  printf 'two\n' >'a b'
  git add .
  git commit -q -m 'First: a subject'
  git branch topic
  git tag -a v1.0 -m tag
  printf 'more\n' >>file
  git commit -q -a -m 'Second'
  git remote add origin https://example.com/r.git
  printf 'dirty\n' >>file
  printf 'new\n' >'new file'
fi
