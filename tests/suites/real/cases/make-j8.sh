#!/bin/sh
# make -j8 of a C project: 60 files in directories, generated headers, two libraries, a program that is run.
# shows: ^total 254385$
# level: normal
set -eu
mkdir -p src/even src/odd
i=0
while [ $i -lt 60 ]; do
  case $((i % 2)) in 0) d=even ;; *) d=odd ;; esac
  printf '#include "all.h"\n#include <stdio.h>\n#include <string.h>\nint f%d(int x)\n{\n\tchar b[64];\n\tsnprintf(b, sizeof b, "%%d", x);\n\treturn (int)strlen(b) * %d + x;\n}\n' \
    $i $((i * 11)) >src/$d/f$i.c
  i=$((i + 1))
done
cat >Makefile <<'M'
EVEN := $(patsubst %.c,%.o,$(wildcard src/even/*.c))
ODD := $(patsubst %.c,%.o,$(wildcard src/odd/*.c))
CFLAGS := -O2 -g -Wall -Isrc
all: program
	./program
src/all.h: Makefile
	@echo making $@
	@for i in $$(seq 0 59); do echo "int f$$i(int x);"; done >$@
src/main.c: Makefile
	@{ echo '#include "all.h"'; echo '#include <stdio.h>'; echo 'int main(void) { int t = 0;'; \
	  for i in $$(seq 0 59); do echo "t += f$$i($$i * 100);"; done; \
	  echo 'puts("built " __DATE__ " " __TIME__); printf("total %d", t); puts(""); return 0; }'; } >$@
%.o: %.c src/all.h
	@echo compiling $<
	@$(CC) $(CFLAGS) -MMD -c -o $@ $<
libeven.a: $(EVEN)
	$(AR) rcU $@ $?
libodd.so: $(ODD:.o=.lo)
	$(CC) -shared -o $@ $?
%.lo: %.c src/all.h
	@echo compiling $< for sharing
	@$(CC) $(CFLAGS) -fPIC -c -o $@ $<
program: src/main.o libeven.a libodd.so
	$(CC) -o $@ src/main.o -L. -leven -lodd -Wl,-rpath,'$$ORIGIN'
M
make -j8 2>&1 | tee log.txt
ar tv libeven.a | head -3
sha256sum program libeven.a libodd.so
