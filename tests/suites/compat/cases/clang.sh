cat >t.c <<'EOF'
#include <stdio.h>
static unsigned long fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { printf("%lu\n", fib(25)); return 3; }
EOF
clang --version | head -n 1; clang -O2 -Wall -o prog t.c && ./prog; echo $?
clang -O2 -S -emit-llvm -o - t.c | grep -c define; clang -fsyntax-only -x c - <<<'int x = ;'; echo $?
clang -c -O2 t.c; clang -static -o static t.c && ./static; echo $?
