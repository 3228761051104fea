"""What the machine does while a case runs. Each is a shell command that runs "$@"."""

import os

CORE = min(os.sched_getaffinity(0))

LOADED = ('for core in $(seq $(nproc)); do (while :; do :; done) & busy="$busy $!"; done; '
          'trap "kill $busy" EXIT; "$@"')
ONE_CORE = f'exec taskset -c {CORE} "$@"'
ONE_CORE_LOADED = f'(while :; do :; done) & busy=$!; trap "kill $busy" EXIT; taskset -c {CORE} "$@"'
