# All that a program can ask the machine for: processor, loader, kernel, itself.
LD_SHOW_AUXV=1 /bin/true
loader=$(echo /lib64/ld-linux-x86-64.so.*)
"$loader" --list-diagnostics
"$loader" --help
cat /proc/cpuinfo /proc/meminfo /proc/version /proc/self/maps /proc/self/status
ls /sys/devices/system/cpu
lscpu
nproc
uname -a
getconf -a
openssl info -cpusettings
python3 -c 'import numpy; print(sorted(numpy.core._multiarray_umath.__cpu_features__.items()))'
