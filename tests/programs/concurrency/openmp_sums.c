/* OpenMP: a sum of floats depends on the order in which parts are added; who does which part.
 * flags: -fopenmp */
#include <omp.h>
#include <stdio.h>

#define PARTS 4000

int main(void)
{
	float reduced = 0, added = 0;
	int done[4] = { 0 }, single = -1;

#pragma omp parallel for num_threads(4) reduction(+ : reduced) schedule(dynamic, 7)
	for (int i = 1; i < PARTS; i++)
		reduced += 1.0f / (float)i;
#pragma omp parallel for num_threads(4) schedule(guided)
	for (int i = 1; i < PARTS; i++) {
#pragma omp atomic
		added += 1.0f / (float)i;
		done[omp_get_thread_num()]++;
	}
#pragma omp parallel num_threads(4)
	{
#pragma omp critical
		printf("thread %d of %d\n", omp_get_thread_num(), omp_get_num_threads());
#pragma omp barrier
#pragma omp single
		single = omp_get_thread_num();
	}
	printf("%.9g %.9g\n", (double)reduced, (double)added);
	printf("%d %d %d %d, single %d\n", done[0], done[1], done[2], done[3], single);
	return 0;
}
