# level: core
# Interpreters of interpreters: five levels are allowed, a sixth is not; one argument may follow.
printf '#!/bin/sh -e\necho "sh: $0 $*"; false; echo never\n' >s0
for i in 1 2 3 4 5 6; do printf '#!./s%d arg%d with blanks\n' $((i - 1)) $i >s$i; done; chmod +x s?
for i in 0 1 2 3 4 5 6; do ./s$i x y; echo $?; done
printf '#!/usr/bin/env -S perl -w -l\nprint "env: @ARGV"; exit 2' >e
printf '#! /bin/cat\nitself\n' >c; printf '#!/bin/echo' >n; printf '#!\n' >empty
printf '#!/no/such\n' >missing; printf '#!/bin/sh\r\necho cr\n' >cr
printf '#!%s\n' "$(printf 'x%.0s' {1..300})" >long; chmod +x e c n empty missing cr long
for s in e c n missing long; do ./$s a 'b c'; echo $?; done 2>&1 | sed 's/line [0-9]*: //'
(exec -a renamed ./s0) | sed "s#$PWD##"; mkdir d; cp s0 d/in-path
PATH=$PWD/d:$PATH in-path | sed "s#$PWD##"; ln -s d/in-path l; ./l; sh ./s0; echo $?; chmod 644 c
./c; echo $?; /usr/bin/python3 -c 'import os; os.execv("./s6", ["x"])' 2>&1 | tail -n 1
