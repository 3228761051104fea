#!/bin/sh
# hmmbuild/hmmsearch/jackhmmer with worker threads, one-time arbitrary seed (--seed 0). DATE line, timings, random seeds.
# shows: ^DATE  Sun Aug  8
# shows: hits\.tbl$
# shows: ^# Total time|^\[ok\]|^//
# level: full
set -eu
here=$(dirname "$0")/bio
/usr/bin/python3 "$here/genseq.py" prot 40 220 7 stockholm > fam.sto
/usr/bin/python3 "$here/genseq.py" prot 1200 220 7 > db.fasta
/usr/bin/python3 "$here/genseq.py" prot 800 300 99 >> db.fasta
awk '/^>/{print ">s" NR; next}{print}' db.fasta > db2.fasta
hmmbuild --cpu 2 --seed 0 fam.hmm fam.sto > build.txt
hmmsearch --cpu 2 --seed 0 --tblout hits.tbl fam.hmm db2.fasta > search.txt
head -2 db2.fasta > q.fasta; sed -n 3,5p db2.fasta | grep -v '>' >> q.fasta
phmmer --cpu 2 --seed 0 --tblout ph.tbl q.fasta db2.fasta > phmmer.txt
hmmemit --seed 0 -N 20 fam.hmm > emitted.fa
tail -12 search.txt
grep -E '^DATE' fam.hmm
sha256sum ./*
