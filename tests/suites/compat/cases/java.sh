cat >T.java <<'EOF'
import java.nio.file.*; import java.util.*; import java.util.concurrent.*; import java.util.stream.*;
public class T {
  static int depth(int n) { return depth(n + 1) + 1; }
  public static void main(String[] a) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8); List<Future<Integer>> fs = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      final int n = i;
      fs.add(pool.submit(() -> {
        List<byte[]> l = new ArrayList<>();
        for (int k = 0; k < 200; k++) { l.add(new byte[4096]); if (l.size() > 50) l.clear(); }
        return n * n;
      }));
    }
    int s = 0; for (Future<Integer> f : fs) s += f.get(); pool.shutdown(); System.out.println("sum " + s);
    System.out.println(IntStream.range(0, 100000).parallel().filter(x -> x % 3 == 0).count());
    Process p = new ProcessBuilder("sh", "-c", "cat; exit 3").redirectErrorStream(true).start();
    p.getOutputStream().write("to child".getBytes()); p.getOutputStream().close();
    System.out.println(new String(p.getInputStream().readAllBytes()) + " " + p.waitFor());
    try { Object o = null; o.toString(); } catch (NullPointerException e) { System.out.println("null"); }
    try { depth(0); } catch (StackOverflowError e) { System.out.println("overflow"); }
    try { int z = 0; System.out.println(1 / z); } catch (ArithmeticException e) { System.out.println("arithmetic"); }
    Map<Integer, String> m = new TreeMap<>();
    for (int i = 0; i < 200000; i++) { m.put(i % 5000, "v" + i); } System.out.println(m.size() + m.get(77));
    System.gc(); Thread.sleep(20); Files.writeString(Path.of("scratch/f"), "x"); System.out.println(Files.readString(Path.of("scratch/f")));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook"))); System.exit(7);
  }
}
EOF
javac -d scratch T.java; echo $?
for gc in Serial Parallel G1 Z Shenandoah; do
  java -XX:+Use${gc}GC -Xmx128m -version >/dev/null 2>&1 || { echo "no $gc"; continue; }
  echo $gc; java -XX:+Use${gc}GC -Xmx128m -cp scratch T; echo $?
done
java -Xint -cp scratch T | tail -n 1; java -cp scratch Missing 2>&1 | head -n 1
echo 'class B { int x = "s"; }' >B.java; javac -d scratch B.java 2>&1 | head -n 1
