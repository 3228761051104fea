# With -ffast-math, compilers divide and take roots by approximations, whose last bits are the maker's of the processor.
cd /tmp || exit 1
cat >fast.c <<'C'
#include <math.h>
#include <stdio.h>
#define COUNT 4096
static float x[COUNT], y[COUNT], z[COUNT];
int main(void)
{
	double sums[4] = { 0 };

	for (int i = 0; i < COUNT; i++)
		x[i] = 0.001f + (float)i * 0.37f;
	for (int i = 0; i < COUNT; i++) {
		y[i] = 1 / x[i];
		z[i] = 1 / sqrtf(x[i]);
	}
	for (int i = 0; i < COUNT; i++) {
		sums[0] += (double)y[i];
		sums[1] += (double)z[i];
		sums[2] += (double)logf(x[i]);
		sums[3] += (double)(x[i] / (x[i] + y[i]));
	}
	printf("%a %a %a %a\n", sums[0], sums[1], sums[2], sums[3]);
	return 0;
}
C
for level in "-O2" "-O3" "-O3 -mrecip=all" "-O3 -mrecip=all -march=x86-64-v3"; do
	# shellcheck disable=SC2086 # words
	gcc $level -ffast-math -o fast fast.c -lm || exit 1
	case $level in *v3) grep -q avx2 /proc/cpuinfo || continue ;; esac
	./fast || exit 1
	objdump -d fast | grep -c 'rcp[ps]s\|rsqrt[ps]s'
done
