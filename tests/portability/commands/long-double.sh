# The x87 unit: arithmetic and conversions, and the functions of the C library that compute with it alone.
cd /tmp || exit 1
cat >long-double.c <<'C'
#include <math.h>
#include <stdio.h>
int main(void)
{
	long double sum = 0, sine = 0, root = 0, modulo = 0;
	double narrow = 0;

	for (int i = 1; i < 20000; i++) {
		long double x = i / 977.0L;

		sum += 1 / x - x * 1.0000001L;
		sine += sinl(x) + cosl(x);
		root += sqrtl(x) + cbrtl(x);
		modulo += fmodl(1e10L, x) + floorl(x * 7) + rintl(x * 3);
		narrow += (double)sum;
	}
	printf("%La %La %La %La %a %.21Lg\n", sum, sine, root, modulo, narrow, sum);
	return 0;
}
C
gcc -O2 -fno-builtin -o long-double long-double.c -lm && ./long-double
gcc -O2 -mfpmath=387 -fno-builtin -o long-double long-double.c -lm && ./long-double
