#!/bin/sh
# ant without a network: two modules compiled in parallel, jars, a program run in a Java of its own.
# shows: ^BUILD SUCCESSFUL$
# shows: hello from both: 42
# level: full
set -eu
here=$(dirname "$0")/ant
cp "$here/build.xml" .
for m in one two; do
  mkdir -p src/$m/$m
  i=0
  while [ $i -lt 10 ]; do
    echo "package $m; public class C$i { public static int get() { return $i + \"$m\".length() - 3; } }" >src/$m/$m/C$i.java
    i=$((i + 1))
  done
done
mkdir -p src/main
cat >src/main/Main.java <<'J'
public class Main {
	public static void main(String[] a) throws Exception {
		Thread[] t = new Thread[4];
		java.util.concurrent.atomic.AtomicInteger n = new java.util.concurrent.atomic.AtomicInteger(one.C9.get() * two.C4.get());
		for (int i = 0; i < t.length; i++) { int k = i; t[i] = new Thread(() -> { n.addAndGet(k); System.out.println("thread " + k); }); t[i].start(); }
		for (Thread x : t) x.join();
		System.out.println("hello from both: " + n);
	}
}
J
ant -noinput 2>&1 | tee out.txt
sha256sum build/*.jar
