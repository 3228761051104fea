#!/bin/bash
# Compilers put the logical date and time into what they build, and it moves on with sleep alone. What they leave
# behind is part of the digest.
# level: normal
set -eu
printf '#include <stdio.h>\nint main(void) { puts("Hello from " NAME ", " __DATE__ ", " __TIME__); }\n' >hello.c
cp hello.c hello.cc
build()
{
	"$1" -DNAME="\"$1\"" -g -o "$1.out" "$2"
	"./$1.out"
}
build_all()
{
	build gcc hello.c
	build clang hello.c
	build g++ hello.cc
	build clang++ hello.cc
}
build_all
sleep 2
build_all
