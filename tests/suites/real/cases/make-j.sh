#!/bin/sh
# make -j4 of 24 C files: log order, .a member order (ar appends as objects finish), __DATE__/__TIME__, link order, build-id.
# shows: ^done m23\.o$
# shows:  36$
# level: normal
set -eu
cat > gen.sh <<'X'
i=0; while [ $i -lt 24 ]; do printf 'const char *t%d(void){return __DATE__ " " __TIME__;}\nint f%d(int x){return x*%d+1;}\n' $i $i $i > m$i.c; i=$((i+1)); done
X
sh gen.sh
cat > Makefile <<'X'
SRC:=$(wildcard m*.c)
OBJ:=$(SRC:.c=.o)
all: libm.a prog
%.o: %.c
	@$(CC) -O2 -c $< -o $@ && (flock 9; ar qU libm.a $@ 2>/dev/null; echo done $@) 9>.lock
libm.a: $(OBJ)
	@ranlib $@
prog: libm.a main.c
	@$(CC) main.c libm.a -o $@ -Wl,--build-id && ./prog
X
printf '#include <stdio.h>\nconst char*t3(void);int f5(int);int main(void){printf("%%s %%d\\n",t3(),f5(7));return 0;}\n' > main.c
rm -f libm.a; make -j4 2>&1 | tee log.txt; ar t libm.a | tr '\n' ' '; echo; sha256sum libm.a prog
