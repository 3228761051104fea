# Many short jobs, each with processes, pipes, signals and files of its own: see the stress suite.
JOBS = 300
NUMBERS := $(shell seq 1 $(JOBS))

all: $(NUMBERS:%=out/%)
	@test $$(ls out | wc -l) -eq $(JOBS) && echo complete

out/%: | out
	@{ sleep 10 & kill -TERM $$!; wait $$!; } 2>/dev/null; test $$? -eq 143 && \
	echo $* | cat | sed 's/$$/ /' | tr -d ' ' >$@.tmp && mv $@.tmp $@

out:
	@mkdir out
