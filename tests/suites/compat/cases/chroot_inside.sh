# root
mkdir -p root/lib64 root/lib/x86_64-linux-gnu; cp bin/static_glibc root/static
cp bin/no_pie root/dynamic; cp -L /lib64/ld-linux-x86-64.so.2 root/lib64
cp -L /lib/x86_64-linux-gnu/libc.so.6 root/lib/x86_64-linux-gnu
./bin/chroot_inside $PWD/root; rm -r root
cp -r /bin/busybox b; mkdir r; cp b r/busybox
chroot r /busybox sh -c '/busybox echo in the chroot; /busybox ls /; exit 3'; echo $?; rm -r b r
