#!/bin/sh
# go build (static binary, no vDSO-free libc) + goroutines: map order, select choice, completion order, time, rand.
# shows: ^order( \d+){32}$
# shows: ^racy \d+$
# shows: ^ticks \d+$
# level: normal
set -eu
here=$(dirname "$0")/go-race
mkdir -p src; cp "$here/main.go" src/; cd src; [ -f go.mod ] || printf 'module example.com/race\n\ngo 1.19\n' > go.mod
export GOCACHE="$PWD/../gocache" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local HOME="$PWD/.."
go build -ldflags "-X main.built=$(date +%s.%N)" -o ../race . 
cd ..; rm -rf gocache; ./race | tee out.txt; sha256sum race
