#!/bin/sh
# Multiple alignment of 60 synthetic proteins (single-threaded, seed fixed by default).
# clustalw by itself is a control: the alignment is the same natively; the run log is not (elapsed time, pid, temp dir).
# shows: ^workdir 
# shows: out\.aln$
# level: full
set -eu
here=$(dirname "$0")/bio
T=$(mktemp -d ./clu.XXXXXX)
/usr/bin/python3 "$here/genseq.py" prot 40 200 42 > in.fasta
start=$(date +%s%N)
clustalw -INFILE=in.fasta -OUTFILE=out.aln -ALIGN -QUIET > "$T/log.txt" 2>&1
seed=$(date +%N | sed 's/^0*//;s/^$/1/' | cut -c1-5)
clustalw -INFILE=out.aln -BOOTSTRAP=100 -SEED="$seed" -QUIET > "$T/boot.log" 2>&1
end=$(date +%s%N)
cat "$T/log.txt" "$T/boot.log" | tail -5
echo "workdir $T pid $$ elapsed_us $(( (end-start)/1000 ))" | tee run.log
ls
sha256sum out.aln ./*.dnd ./*.phb run.log
