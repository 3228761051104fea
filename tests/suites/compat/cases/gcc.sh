cat >main.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
int part(int);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
	int v[] = { 5, 2, 9, part(argc) };
	qsort(v, 4, sizeof *v, compare);
	for (int i = 0; i < 4; i++)
		printf("%d %.3f\n", v[i], sqrt(v[i]));
	return argc;
}
EOF
echo 'int part(int x) { return x * 3; }' >part.c
gcc --version | head -n 1
gcc -O2 -Wall -c main.c part.c && gcc -o prog main.o part.o -lm && ./prog a b; echo $?
gcc -O2 -flto -o lto main.c part.c -lm && ./lto; echo $?
gcc -shared -fPIC -o libpart.so part.c && gcc -o dynamic main.c -L. -lpart -lm -Wl,-rpath,'$ORIGIN' && ./dynamic x; echo $?
gcc -static -o static main.c part.c -lm && ./static; echo $?
ar rcs libpart.a part.o && gcc -o archive main.o libpart.a -lm && ./archive; nm part.o
size main.o | tail -n 1; objdump -d part.o | tail -n 5; strip -o stripped prog; ./stripped; echo $?
gcc -E -dM - </dev/null | sort | md5sum; gcc -S -O2 -o - part.c | grep -c imul
echo 'int main(void) { return undefined(); }' | gcc -x c -o broken - 2>&1 | sed 's#/tmp/cc[^ :]*##g' | grep -c undefined
echo 'int x = ;' | gcc -x c -c -o /dev/null - ; echo $?
gcc -pipe -O1 -c -o piped.o main.c; gcc -O1 -c -o plain.o main.c; cmp piped.o plain.o && echo equal
