#!/bin/sh
# What is made is newer than what it was made from: make builds once, and again after an edit.
cat >Makefile <<'M'
all: sum.txt prog
sum.txt: a.txt b.txt
	cat a.txt b.txt >$@
prog: main.o other.o
	gcc -o $@ main.o other.o
%.o: %.c common.h
	gcc -c -o $@ $<
M
echo a >a.txt
echo b >b.txt
echo '#define ANSWER 42' >common.h
printf '#include <stdio.h>\n#include "common.h"\nint other(void);\nint main(void) { printf("%%s %%s %%d\\n", __DATE__, __TIME__, other() + ANSWER); }\n' >main.c
echo 'int other(void) { return 1; }' >other.c
make
./prog
make
echo more >>a.txt
make
touch common.h
make
./prog
stat -c '%n %Y %y %i %b' -- *
