# level: core
cat >Makefile <<'EOF'
N := $(shell seq 1 100)
all: $(N:%=out/%) ; @cat $(sort $^) | md5sum; echo done
out/%: ; @mkdir -p out; sleep 0.00$*; echo $* | tr 0-9 a-j >$@
fail: ; @exit 3
sub: ; @$(MAKE) -s -C . -j2 inner
inner: i1 i2 ; @echo inner
i1 i2: ; @true
EOF
make -s -j2; make -s -j2; rm out/5; make -j2 | tail -n 1; make -s fail 2>&1; echo $?
make -s -j2 sub; make -s -k -j2 fail all 2>&1 | tail -n 1; make nothing 2>&1
