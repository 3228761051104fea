mkdir -p scratch/p; cd scratch/p
cat >configure.ac <<'EOF'
AC_INIT([small],[1.0])
AC_CONFIG_AUX_DIR([aux])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign -Wall])
AM_PROG_AR
LT_INIT
AC_PROG_CC
AC_CHECK_HEADERS([unistd.h nosuch.h])
AC_CHECK_FUNCS([fork nosuchfunction])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOF
cat >Makefile.am <<'EOF'
ACLOCAL_AMFLAGS = -I m4
lib_LTLIBRARIES = libpart.la
libpart_la_SOURCES = part.c
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libpart.la
TESTS = prog
EOF
mkdir m4; echo 'int part(void) { return 7; }' >part.c; echo '#include <stdio.h>
int part(void); int main(void) { printf("part %d\n", part()); return 0; }' >main.c
autoreconf -i >log 2>&1 || cat log; ./configure --prefix=/usr >log 2>&1 || cat log; grep -c yes log; grep -e unistd -e nosuch log
make -j2 >log 2>&1 || cat log; ./prog; make check >log 2>&1 || cat log; grep -e PASS: -e FAIL: log
make install DESTDIR=$PWD/root >log 2>&1 || cat log; find root | sort
make distcheck >log 2>&1 && echo distributed || tail -n 20 log
