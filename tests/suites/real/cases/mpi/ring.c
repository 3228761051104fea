/* What four processes of an MPI program agree on, and in which order they came to it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 200

/* Whoever is ready first is served first. */
static void serve(int ranks)
{
	for (int i = 0; i < (ranks - 1) * ROUNDS; i++) {
		MPI_Status status;
		double value;

		MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
		if (i % 25 == 0)
			printf("%d ", status.MPI_SOURCE);
	}
	putchar('\n');
}

static double estimate(void)
{
	long inside = 0, all = 0;
	double value = 0;

	srand((unsigned)getpid());
	for (int i = 0; i < ROUNDS; i++) {
		for (int k = 0; k < 500; k++, all++) {
			double x = rand() / (double)RAND_MAX, y = rand() / (double)RAND_MAX;

			inside += x * x + y * y <= 1;
		}
		value = 4.0 * (double)inside / (double)all;
		MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	}
	return value;
}

int main(int count, char **words)
{
	double value = 0, sum;
	int rank, ranks;

	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (rank == 0)
		serve(ranks);
	else
		value = estimate();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("pi: %.9f\n", sum / (ranks - 1));
	MPI_Finalize();
	return 0;
}
