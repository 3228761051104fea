# level: core
./bin/ubsan; echo $?; UBSAN_OPTIONS=halt_on_error=1:exitcode=9 ./bin/ubsan; echo $?
