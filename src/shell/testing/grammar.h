// The grammar of random programs, as text. A rule starts at the margin with its name; below it
// stand its alternatives, separated by two or more blanks or a new line, each as likely as the
// others (one that stands twice is twice as likely). When a program is big enough, the first one is
// taken: it must lead to an end. `<name>` stands for a rule, everything else for itself.
//
// Rules that the generator itself knows:
//   <nothing>     and <space>, <lf>: one blank, one line feed
//   <newline>     the end of a line, followed by the bodies of its here-documents
//   <line-end>    the same where no body waits, otherwise `;`
//   <newlines>    any number of them, also none, perhaps with comments
//   <blank>       blanks, perhaps a continued line; <gap>: perhaps nothing
//   <heredoc>     the redirection of a here-document
//   <backquoted>  a list within back-quotes, escaped as it must be there
//   <inside>      a list within $( ) or <( )
//   <array>       <array-elements> in parentheses
// Alternatives with <newline> or <heredoc> are not taken where a line must not end.
#pragma once

#include <string_view>

namespace nacre::shell {

constexpr std::string_view kPosixGrammar = R"(
program
  <list><newline>  <list><gap><newline>  <newlines><list><newline>  <list><separator><newline>

list
  <and-or>  <and-or>  <and-or><separator><list>
separator
  <gap>;<blank>  <gap>&<blank>  <newline><newlines>  <newline><newlines>  ;<newlines><blank>
body
  <blank><list><separator>  <newlines><blank><list><separator>
and-or
  <pipeline>  <pipeline>  <pipeline>  <pipeline>  <pipeline>
  <pipeline><gap>&&<newlines><gap><and-or>  <pipeline><gap>||<newlines><gap><and-or>
pipeline
  <command>  <command>  <command>  <command>  <command>  <command>
  <command><gap>|<newlines><blank><pipe>  <command> |<pipe>  ! <pipe>
pipe
  <command>  <command>  <command><gap>|<newlines><blank><pipe>

command
  <simple>  <simple>  <simple>  <simple>  <compound><redirections>  <compound><redirections>
  <function-name><gap>(<gap>)<newlines><blank><compound><redirections>
function-name
  f  my_func  g2  _x
compound
  { true;}  {<body>}  (<blank><newlines><list><gap>)  (<blank><list><separator>)
  if<body>then<body>fi  if<body>then<body><else>  while<body>do<body>done  until<body>do<body>done
  for <name><for-in>do<body>done  for <name><newlines><blank>do<body>done
  for <name>;<newlines><blank>do<body>done  case <word><newlines> in<newlines><blank><arms>esac
else
  fi  else<body>fi  elif<body>then<body><else>
name
  x  i  in  _v  do  if  A1
for-in
  <space>in a;<space>  <space>in;<newlines><blank>  <space>in<words><line-end><newlines><blank>
  <space>in<words>;<newlines><blank>  <blank>in<words><line-end><blank>
arms
  <nothing>  <last-arm>  <arm><arms>  <arm><arms>
arm
  <patterns>)<newlines><blank><list><gap>;;<newlines><blank>  <patterns>) ;;<newline>
  (<patterns>)<newlines><blank><list><newline>;;<newlines><blank>
  <patterns>)<newline><list><separator>;;<newlines><blank>
last-arm
  <patterns>)<newlines><blank><list><separator>  <patterns>)<newline>
patterns
  <pattern><gap>  <pattern><gap>  <pattern><gap>|<gap><patterns>
pattern
  a  *  ?  [a-z]*  'x y'  \*  "q"  -h  *.c  [!a]  []x]  in  fi  <dollar>  <word-part>  <pattern><dollar>

simple
  echo  <command-word><words><redirections>  <command-word><words><redirections>  <assignments>
  <assignments><blank><command-word><words><redirections>  <redirection><blank><command-word><words>
  <assignment><redirections>  <redirection>  <command-word><blank><redirection><words>
command-word
  echo  cat  ls  [  ./run  a-b  x.y  a%b  :  .  eval  \if  'for'  $cmd  ${x}  do_it  2  -  a,b  @  +
  ''  "$x"  1a=b  i\<lf>ffy  ]  <dollar>  "<quoted>"
assignments
  <assignment>  <assignment>  <assignment><blank><assignments>
assignment
  x=  <variable>=<word>  <variable>=<word>  <variable>=~/x:~
variable
  x  _y  A1  PATH
redirections
  <nothing>  <nothing>  <nothing>  <nothing>  <nothing>  <blank><redirection><redirections>
redirection
  >f  <descriptor><direction><blank><word>  <descriptor><direction>x<word>  <descriptor>>&2  <&0
  >&-  <descriptor><&-  >& 1  >&$fd  <descriptor><heredoc>  <descriptor><heredoc>
descriptor
  <nothing>  <nothing>  <nothing>  2  0  9
direction
  <  >  >>  <>  >|
words
  <nothing>  <nothing>  <blank><word><words>  <blank><word><words>

word
  a  <word-part>  <word-part>  <word-part><word>
word-part
  b1  <plain>  <plain>  <plain>  <glob>  <escape>  <single>  "<quoted>"  "<quoted>"  <dollar>  <dollar>
plain
  foo  -n  --long=x  /etc/passwd  fi  then  esac  done  {  }  !  12  a=b  x@y  %d  a#b  ]  {}  +  a,b
  :  ~  ~root/x  a=~  ^  in  [  do  é
glob
  *  ?x  [a-z]  [!b]*  *.c  [[:alpha:]]  []x]  a[  [^a]  [$x]  ["]"]  **
escape
  \<space>  \$  \\  \'  \"  \;  \#  \a  \*  \&  \(  \`
single
  ''  'a b'  'it"s'  '$x `'  '\'  '#'  ')'  'a<lf>b'
quoted
  a b  <nothing>  <quoted-part><quoted>  <quoted-part>
quoted-part
  '  \"  \$  \\  \x  #  *  {a,b}  ;  ~  !  )  (  \`  a<lf>b  <dollar-quoted>  <dollar-quoted>

dollar
  $x  <special>  <braced>  <braced>  $(<inside>)  $((<gap><expression><gap>))  <backquoted>
dollar-quoted
  $x  <special>  <braced-quoted>  <braced-quoted>  $(<inside>)  $((<expression>))  $ x  $%
special
  $x  $_y1  $1  $@  $*  $#  $?  $$  $!  $-  $0  $10  ${10}  ${#}  ${?}  ${@}  ${#x}  ${x}  ${#*}  ${#1}
  ${##}  $\<lf>x
braced
  ${x}  ${<parameter><operator><operand>}
braced-quoted
  ${x}  ${<parameter><operator><operand-quoted>}
parameter
  x  y_1  1  10  @  *  ?  $  !
operator
  -  :-  +  :+  %  %%  #  ##  =  :=  ?  :?
operand
  <nothing>  a  <operand-part><operand>  <operand-part>
operand-part
  a  b c  *  'q }'  "d }"  \}  #  /  {  [a]  ~  ;  &&  <  |  "<quoted>"  <dollar>  <dollar>
operand-quoted
  <nothing>  a  <operand-quoted-part><operand-quoted>  <operand-quoted-part>
operand-quoted-part
  a  b c  *  \"  \}  \$  #  /  {  [a]  ;  "q"  <dollar-quoted>  <dollar-quoted>

expression
  1  <number>  <number>  (<expression>)  <unary> <expression>  x <assign> <expression>
  <expression><gap><binary> <expression>  <expression> ? <expression> : <expression>
number
  1  42  x  _v  0xFF  017  $1  ${x:-1}  $#  $x  $(echo 1)
unary
  -  +  !  ~
assign
  =  +=  -=  *=  /=  %=  <<=  >>=  &=  |=  ^=
binary
  +  -  *  /  %  <<  >>  <  <=  >  >=  ==  !=  &  |  ^  &&  ||

document
  <nothing>  <document-line><lf>  <document-line><lf><document>
document-line
  text  it's  a " b  <space>EOF  \$x \`  a\\b  <lf>  \<lf>  <dollar-quoted>  "<dollar-quoted>
quoted-document
  <nothing>  $( ' "<lf><quoted-document>  ${ `<lf>  \<lf><quoted-document>
)";

constexpr std::string_view kBashGrammar = R"(
pipeline
  time <pipe>  time -p <pipe>  <command> |& <pipe>  ! time <pipe>
command
  <bash-command>  <bash-command>
bash-command
  [[ a ]]  [[ <condition> ]]<redirections>  ((<gap><expression>))<redirections>
  for ((<optional-expression>; <optional-expression>;<optional-expression>))<gap>;<newlines> do<body>done
  for ((<expression>;;i++)) {<body>}  select <name><for-in>do<body>done  ((echo a) | b)  ( (x))
  function <bash-function-name><blank><newlines><compound><redirections>
  function <bash-function-name> ()<newlines><blank><compound>  <bash-function-name>() <compound>
  coproc <compound>  coproc NAME {<body>}  coproc cat "<quoted>"  <declare> w=<word><redirections>
  <declare><declare-flag> v=<array>
bash-function-name
  f  my-func  a.b  a/b
declare
  declare  local  export  typeset  readonly
declare-flag
  <nothing>  <space>-a  <space>-A  <space>-ga
optional-expression
  <nothing>  i = 0  <expression>
arm
  <patterns>)<newlines><blank><list><gap>;&<newlines><blank>  <patterns>) ;;&<newline>
assignment
  a=<array>  a+=<array>  <variable>+=<word>  a<subscript>=<word>  a<subscript>+=<word>
subscript
  [0]  [i]  [$x]  [i+1]  ['k']  ["a b"]  [a b]  [$(echo 1)]  [x[1]]  [$((i - 1))]  [${#a[@]}]
array-elements
  a  <nothing>  <newlines><blank><array-word>  <newlines><blank><array-word><array-elements>
  <blank><subscript>=<array-word>
array-word
  a  b<plain>  "<quoted>"  <dollar><plain>  <single>  *.c  {a,b}<plain>  =  fi  ~  @(a|b)  +
redirection
  {fd}>x  <space>&><blank><word>  <space>&>> <word>  <<<<blank><word>  <descriptor><<< <word>  {_x1}<&-  2>&1-
word-part
  @(<glob-list>)  !(<glob-list>)x  +(<glob-list>|)  *(<glob-list>)  ?(x|y)z  <(<inside>)  >(<inside>)
  <brace>  <brace>  $'a\n\'b'  $'\x41\u20ac'  $"loc $x"  $[1+2]  ${<bash-parameter>}
glob-list
  a  <glob>  'x )'  "<dollar>"  $x  ${x:-a}  b|<glob-list>  @(c|d)  \)  $(echo a)
brace
  {a,b}  {1..3}  x{,y}z  {a..e..2}  {01..10}  {a,{b,c}}  {$x,'y z'}  {,}  {a}  {1..}  {-1..-9..3}  {"a b",c}
dollar-quoted
  ${<bash-parameter-quoted>}  $[x * 2]
bash-parameter
  x  <bash-name>/<operand>  <bash-name>//<operand>/<operand>  <bash-name><tail>  <bash-name>-<operand>
bash-parameter-quoted
  x  <bash-name>/<operand-quoted>  <bash-name>//<operand-quoted>/<operand-quoted>  <bash-name><tail>
bash-name
  x  !x  a[@]  a[*]  a<subscript>  @  1  !a[0]  #a[@]  a[-1]
tail
  <nothing>  ^  ^^  ,  ,,  ~~  ^[a-z]  ,,?  @Q  @E  @P  @A  @a  @U  @K  :1  :1:2  : -1  :$x:${#y}  :(-1)
  :x+1  /#a/b  /%a  %%*

condition
  a  <condition-word>  -f <condition-word>  -z <condition-word>  -v <condition-word>
  <condition-word> <comparison> <condition-word>  <condition-word> =~ <regex>  ! <condition>
  ( <condition> )  <condition> &&<newlines> <condition>  <condition> ||<newlines> <condition>
condition-word
  a  $x  "<quoted>"  'b c'  *.c  a*b?  @(a|b)  ${z[0]}  /etc  1  <dollar>  <dollar>x  "$y"
comparison
  ==  =  !=  <  >  -eq  -lt  -nt  -ef  -gt
regex
  ^a+$  ^(a|b)*$  [[:space:]]  $re  a\ b  "q ("  (x)  ^[0-9]{1,3}$  a|b  ^[^\ ]  (a b)  [a-z]+\.sh$
  $(echo x)  \(  ^"$x"(.*)$  (^| )x( |$)
)";

}  // namespace nacre::shell
