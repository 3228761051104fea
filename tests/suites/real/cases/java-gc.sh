#!/bin/sh
# javac + jar + java: identityHashCode, HashMap keyed by identity, parallel streams, GC statistics, UUID, nanoTime, thread completion order.
# shows: ^done task7:
# shows: ^par \[
# shows: ^sum 12\.78
# shows: ^free \d+ cpus 1 
# level: normal
set -eu
here=$(dirname "$0")/java-gc
cp "$here/Main.java" .
mkdir -p cls; javac -d cls Main.java
jar cfe app.jar Main -C cls .
java -Xmx64m -jar app.jar | tee out.txt
sha256sum app.jar cls/*.class
