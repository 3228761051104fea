# level: core
# The loader run directly, ldd, and programs built in other ways.
ldd /bin/true | sed '/vdso/d;s/(0x.*)//'; ldd ./bin/static_glibc; echo $?; ldd ./bin/musl_dynamic 2>&1 | head -n 1 | sed 's/(0x.*)//'
/lib64/ld-linux-x86-64.so.2 /bin/echo by the loader
/lib64/ld-linux-x86-64.so.2 --list /bin/true | sed '/vdso/d;s/(0x.*)//' | sort
/lib64/ld-linux-x86-64.so.2 --verify /bin/true; echo $?
LD_DEBUG=files /bin/true 2>&1 | grep -c calling; LD_PRELOAD=$PWD/bin/plugin.so /bin/echo preloaded
LD_PRELOAD=/no/such.so /bin/echo; LD_BIND_NOW=1 /bin/echo now
LD_LIBRARY_PATH=/nowhere /bin/echo path
cmp /lib64/ld-linux-x86-64.so.2 $(readlink -f /lib64/ld-linux-x86-64.so.2) &&
  head -c 4 /lib64/ld-linux-x86-64.so.2 | od -c
readelf -h /lib64/ld-linux-x86-64.so.2 | sed -n 's/ *Type: *//p'
sha256sum /lib64/ld-linux-x86-64.so.2
for p in static_glibc static_pie no_pie musl_dynamic musl_static; do echo $p; ./bin/$p; echo $?; done
