# level: core
export PYTHONDONTWRITEBYTECODE=1
cat >t.py <<'EOF'
import concurrent.futures, ctypes, hashlib, json, mmap, os, queue, select, signal
import socket, sqlite3, struct, subprocess, sys, tempfile, threading, time, zlib
lock, total = threading.Lock(), 0
def work(n):
    global total
    for _ in range(200):
        with lock: total += n
threads = [threading.Thread(target=work, args=(i,)) for i in range(20)]
[t.start() for t in threads]; [t.join() for t in threads]
print("threads", total)
with concurrent.futures.ThreadPoolExecutor(8) as pool: print(sum(pool.map(lambda x: x * x, range(100))))
q = queue.Queue(); t = threading.Thread(target=lambda: [q.put(i) for i in range(5)]); t.start()
print([q.get(timeout=10) for _ in range(5)])
try: q.get(timeout=0.05)
except queue.Empty: print("empty")
print(subprocess.run(["sh", "-c", "cat; echo err >&2; exit 3"], input=b"in", capture_output=True))
print(subprocess.check_output("seq 5 | tail -n 1", shell=True), subprocess.call(["false"]))
try: subprocess.run(["sleep", "20"], timeout=0.1)
except subprocess.TimeoutExpired: print("timed out")
try: subprocess.run(["/no/such"])
except FileNotFoundError as e: print(e)
p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                     start_new_session=True, preexec_fn=os.getpid)
print(p.communicate(b"x" * 200000)[0] == b"x" * 200000, p.returncode)
p = subprocess.Popen(["sleep", "20"]); p.terminate(); print(p.wait())
got = []; signal.signal(signal.SIGALRM, lambda *a: got.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05); time.sleep(0.3); signal.setitimer(signal.ITIMER_REAL, 0)
print("alarms", len(got) >= 3)
s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); a, _ = s.accept()
c.sendall(b"hello"); print(a.recv(10))
poller = select.poll(); poller.register(a, select.POLLIN); print(poller.poll(0)); c.send(b"x"); print(len(poller.poll(1000)))
with tempfile.TemporaryFile() as f:
    f.write(b"0" * 8192); f.flush()
    m = mmap.mmap(f.fileno(), 8192); m[0:3] = b"abc"
    print(m[:5], f.seek(0), f.read(3))
print(json.dumps({"b": [1, 2.5, None]}, sort_keys=True), zlib.crc32(b"x" * 1000),
      hashlib.sha256(b"a").hexdigest()[:16], struct.pack(">I", 7))
db = sqlite3.connect(":memory:"); db.execute("create table t(x)")
db.executemany("insert into t values(?)", [(i,) for i in range(100)])
print(db.execute("select sum(x) from t").fetchall())
print(ctypes.CDLL(None).abs(-5)); libc = ctypes.CDLL(None)
cb = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
arr = (ctypes.c_int * 5)(5, 3, 1, 4, 2); libc.qsort(arr, 5, 4, cb(lambda a, b: a[0] - b[0])); print(list(arr))
pid = os.fork()
if pid == 0: os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])); print(os.popen("echo popen").read(), end="")
r, w = os.pipe(); pid = os.fork()
if pid == 0: os.close(r); [os.write(w, b"%d\n" % i) for i in range(1000)]; os._exit(0)
os.close(w); print(sum(int(x) for x in os.fdopen(r))); os.waitpid(pid, 0)
def recurse(n): return 0 if n == 0 else 1 + recurse(n - 1)
sys.setrecursionlimit(20000); threading.stack_size(256 << 20)
t = threading.Thread(target=lambda: print(recurse(15000))); t.start(); t.join()
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
EOF
{ /usr/bin/python3 t.py 2>err; echo $?; } 2>/dev/null; cat err
