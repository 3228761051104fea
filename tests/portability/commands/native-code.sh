# What the compiler makes for "this machine", and what comes out of it.
cd /tmp || exit 1
cat >native.c <<'C'
#include <stdio.h>
#define N 96
static double a[N][N], b[N][N], c[N][N];
static double f[4096];
int main(void)
{
	double trace = 0, dot = 0;
	unsigned bits = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = 1.0 / (i + j + 1);
			b[i][j] = i * 0.37 - j / 3.0;
		}
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
	for (int i = 0; i < N; i++)
		trace += c[i][i];
	for (int i = 0; i < 4096; i++) {
		f[i] = i / 7.0;
		bits += __builtin_popcount(i * 2654435761u) + __builtin_clz(i | 1) + __builtin_ctz(i | 1);
	}
	for (int i = 0; i < 4096; i++)
		dot += f[i] * f[4095 - i] / (1 + f[i]);
	printf("%a %a %u\n", trace, dot, bits);
	printf("%d %d %d %d %d\n", !!__builtin_cpu_supports("avx2"), !!__builtin_cpu_supports("sse4.2"),
	       !!__builtin_cpu_supports("fma"), !!__builtin_cpu_supports("avx512f"), __builtin_cpu_is("intel"));
	return 0;
}
C
gcc -march=native -Q --help=target | sort
for level in -O1 -O2 -O3 -Ofast; do
	gcc -march=native $level -o native native.c && ./native && sha256sum native || exit 1
done
gcc -march=native -O3 -S -o - native.c | sha256sum
