# The C library has variants of these functions for processors with and without FMA and AVX2.
cd /tmp || exit 1
cat >libm.c <<'C'
#include <complex.h>
#include <math.h>
#include <stdio.h>
#define SHOW(name) printf(#name " %a\n", sum_##name)
#define EACH(m) m(sin) m(cos) m(tan) m(exp) m(exp2) m(log) m(log2) m(atan) m(sinh) m(cbrt) m(erf) m(tgamma) m(lgamma)
#define DECLARE(name) double sum_##name = 0;
#define ADD(name) sum_##name += name(x) + name##f((float)x);
#define PRINT(name) SHOW(name);
int main(void)
{
	EACH(DECLARE)
	double sum_pow = 0, sum_fma = 0, sum_hypot = 0, sum_csqrt = 0, sum_fmod = 0, sum_rint = 0;

	for (int i = 1; i < 20000; i++) {
		double x = i * 0.00123456789 + 1e-9 * i * i;

		EACH(ADD)
		sum_pow += pow(x, 1 / x) + powf(x, 1.5f);
		sum_fma += fma(x, x, -x) + fmaf(x, x, -x);
		sum_hypot += hypot(x, 1 / x);
		sum_csqrt += cabs(csqrt(x - 7 + I * x));
		sum_fmod += fmod(1e6, x) + remainder(1e6, x);
		sum_rint += rint(x) + floor(x) + nearbyint(x * 3) + trunc(x) + ceil(x);
	}
	EACH(PRINT)
	SHOW(pow); SHOW(fma); SHOW(hypot); SHOW(csqrt); SHOW(fmod); SHOW(rint);
	return 0;
}
C
for level in "-O0" "-O2" "-O3 -march=native -ffp-contract=fast"; do
	# shellcheck disable=SC2086 # words
	gcc $level -fno-builtin -o libm libm.c -lm && ./libm || exit 1
done
sha256sum libm
