# level: core
"$STET" run --relax all -- ./bin/dangerous_calls
