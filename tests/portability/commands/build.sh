# A small project: compiled in parallel, archived, linked, tested.
mkdir /tmp/project && cd /tmp/project || exit 1
for i in 1 2 3 4 5 6 7 8; do
	cat >part$i.c <<C
const char *made_$i(void) { return __FILE__ " " __DATE__ " " __TIME__; }
double value_$i(double x) { return x / $i + __COUNTER__; }
C
done
{
	echo '#include <stdio.h>'
	for i in 1 2 3 4 5 6 7 8; do echo "const char *made_$i(void); double value_$i(double);"; done
	echo 'int main(void) { double v = 1;'
	for i in 1 2 3 4 5 6 7 8; do echo "puts(made_$i()); v += value_$i(v);"; done
	printf '%s\n' 'printf("%a\n", v); return 0; }'
} >main.c
cat >Makefile <<'M'
CFLAGS = -g -O2 -frandom-seed=$@
program: main.o libparts.a
	$(CC) -o $@ $^
	echo "made at $$(date +%s.%N) by $$$$" >>log
libparts.a: $(patsubst %.c,%.o,$(wildcard part*.c))
	ar rcU $@ $^
%.o: %.c
	echo $@ >>log; $(CC) $(CFLAGS) -c -o $@ $<
M
make -j4 && ./program && cat log && sha256sum -- *
