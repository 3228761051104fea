cat >t.js <<'EOF'
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { spawn, execFileSync, fork, spawnSync } = require('child_process');
const fs = require('fs'), net = require('net'), zlib = require('zlib'), crypto = require('crypto');
if (process.argv[2] === 'child') { process.on('message', (m) => { process.send(m * 2); process.disconnect(); }); return; }
if (!isMainThread) { let s = 0; for (let i = 0; i < workerData * 1e5; i++) s += i % 7; parentPort.postMessage(s); return; }
(async () => {
  const workers = await Promise.all([1, 2, 3, 4].map((n) => new Promise((ok, no) => {
    const w = new Worker(__filename, { workerData: n });
    w.on('message', ok); w.on('error', no);
  })));
  console.log('workers', workers);
  const kids = await Promise.all([...Array(8).keys()].map((n) => new Promise((ok) => {
    const c = spawn('sh', ['-c', `cat; exit ${n}`]);
    let out = '';
    c.stdout.on('data', (d) => out += d);
    c.on('close', (code) => ok([out, code]));
    c.stdin.end('in ' + n);
  })));
  console.log(kids);
  console.log(execFileSync('seq', ['3']).toString(), spawnSync('sh', ['-c', 'kill -9 $$']).signal);
  const f = fork(__filename, ['child']); console.log(await new Promise((ok) => { f.on('message', ok); f.send(21); }));
  const server = net.createServer((c) => c.end('bye')).listen(0, '127.0.0.1'); await new Promise((ok) => server.on('listening', ok));
  console.log(await new Promise((ok) => {
    let s = '';
    net.connect(server.address().port, '127.0.0.1').on('data', (d) => s += d)
      .on('end', () => { server.close(); ok(s); });
  }));
  console.log(zlib.gunzipSync(zlib.gzipSync('x'.repeat(1e5))).length,
    crypto.createHash('sha256').update('a').digest('hex').slice(0, 8),
    (await new Promise((ok) => crypto.pbkdf2('a', 'b', 1000, 8, 'sha1', (e, k) => ok(k)))).toString('hex'));
  await fs.promises.writeFile('written', 'text');
  console.log((await fs.promises.readFile('written')).toString(), fs.readdirSync('/usr').includes('lib'));
  await new Promise((ok) => setTimeout(ok, 20)); process.once('SIGUSR2', () => console.log('signal'));
  process.kill(process.pid, 'SIGUSR2'); await new Promise((ok) => setTimeout(ok, 50));
  console.log(new Function('let s = 0; for (let i = 0; i < 3e6; i++) s = (s * 31 + i) | 0; return s')());
  console.log(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) !== null);
  process.exitCode = 4;
})();
EOF
node t.js; echo $?; node -e 'throw new Error("x")' 2>/dev/null; echo $?; { node -e 'process.abort()'; echo $?; } 2>/dev/null
