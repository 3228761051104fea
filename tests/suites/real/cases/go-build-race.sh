#!/bin/sh
# A Go program built with -race (its runtime is ThreadSanitizer's): goroutines, and a race that it must find.
# shows: ^WARNING: DATA RACE$
# shows: ^total 4950$
# shows: ^status 66$
# level: full
set -eu
here=$(dirname "$0")/go-build-race
cp "$here/main.go" .
printf 'module example.com/race\n\ngo 1.19\n' >go.mod
export GOCACHE="$PWD/cache" GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local HOME="$PWD"
go build -race -o race .
rm -rf cache
status=0; ./race 2>&1 || status=$?
echo "status $status"
sha256sum race
