export PYTHONDONTWRITEBYTECODE=1
cat >t.py <<'EOF'
import multiprocessing as mp, os, sys
def square(x): return x * x
def add(counter, n):
    for _ in range(n):
        with counter.get_lock(): counter.value += 1
def talk(conn): conn.send(conn.recv() + 1); conn.close()
def fill(q, n): [q.put(i) for i in range(n)]
def leave(): sys.exit(5)
if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        ctx = mp.get_context(method)
        with ctx.Pool(3) as pool: print(method, pool.map(square, range(20)), pool.apply_async(square, (9,)).get(60))
        c = ctx.Value("i", 0); ps = [ctx.Process(target=add, args=(c, 200)) for _ in range(4)]
        [p.start() for p in ps]; [p.join() for p in ps]; print(c.value, [p.exitcode for p in ps])
        a, b = ctx.Pipe(); p = ctx.Process(target=talk, args=(b,)); p.start(); a.send(41); print(a.recv()); p.join()
        q = ctx.Queue(); p = ctx.Process(target=fill, args=(q, 500)); p.start(); print(sum(q.get(timeout=60) for _ in range(500))); p.join()
        p = ctx.Process(target=leave); p.start(); p.join(); print(p.exitcode)
        p = ctx.Process(target=os.abort); p.start(); p.join(); print(p.exitcode)
        with ctx.Manager() as m: d = m.dict(); d["x"] = 1; print(dict(d))
EOF
/usr/bin/python3 t.py; echo $?
