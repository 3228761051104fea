#!/bin/sh
# Open MPI: a launcher that serves its processes by sockets and mapped files, and these each other by shared memory.
# shows: ^pi: 3\.1\d+$
# level: full
set -eu
mpicc -O1 -o ring "$(dirname "$0")/mpi/ring.c"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe -n 4 ./ring
