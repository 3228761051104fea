# level: core
export PYTHONDONTWRITEBYTECODE=1
cat >t.py <<'EOF'
import asyncio, os, signal
async def echo(reader, writer): writer.write((await reader.readline()).upper()); await writer.drain(); writer.close()
async def client(port, i):
    r, w = await asyncio.open_connection("127.0.0.1", port); w.write(b"line %d\n" % i); x = await r.readline(); w.close(); return x
async def main():
    s = await asyncio.start_server(echo, "127.0.0.1", 0); port = s.sockets[0].getsockname()[1]
    print(sorted(await asyncio.gather(*(client(port, i) for i in range(50))))[:3])
    ps = [await asyncio.create_subprocess_exec("sh", "-c", f"echo {i}; exit {i}", stdout=asyncio.subprocess.PIPE) for i in range(10)]
    print([(await p.communicate())[0] for p in ps], [p.returncode for p in ps])
    loop = asyncio.get_running_loop(); e = asyncio.Event(); loop.add_signal_handler(signal.SIGUSR1, e.set)
    os.kill(os.getpid(), signal.SIGUSR1); await asyncio.wait_for(e.wait(), 10)
    try: await asyncio.wait_for(asyncio.sleep(10), 0.05)
    except asyncio.TimeoutError: print("timeout")
    print(await loop.run_in_executor(None, sum, range(1000)), await asyncio.to_thread(os.path.exists, "/"))
asyncio.run(main())
EOF
/usr/bin/python3 t.py; echo $?
