cat >t.rs <<'EOF'
use std::{collections::BTreeMap, io::{Read, Write}, net::*, process::*, sync::{mpsc, Arc, Mutex}, thread, time::Duration};
fn main() {
    let n = Arc::new(Mutex::new(0));
    let ts: Vec<_> = (0..20).map(|i| {
        let n = n.clone();
        thread::spawn(move || { for _ in 0..100 { *n.lock().unwrap() += i; } i * 2 })
    }).collect();
    println!("{} {}", ts.into_iter().map(|t| t.join().unwrap()).sum::<i32>(), n.lock().unwrap());
    let (tx, rx) = mpsc::channel(); thread::spawn(move || for i in 0..100 { tx.send(i).unwrap(); }); println!("{}", rx.iter().sum::<i32>());
    let o = Command::new("sh").args(["-c", "echo child; exit 3"]).output().unwrap();
    println!("{:?} {:?}", String::from_utf8_lossy(&o.stdout), o.status.code());
    let l = TcpListener::bind("127.0.0.1:0").unwrap(); let a = l.local_addr().unwrap();
    let t = thread::spawn(move || {
        let mut s = String::new();
        TcpStream::connect(a).unwrap().read_to_string(&mut s).unwrap();
        s
    });
    l.accept().unwrap().0.write_all(b"over tcp").unwrap(); println!("{}", t.join().unwrap());
    println!("{:?}", thread::spawn(|| panic!("caught")).join().is_err()); thread::sleep(Duration::from_millis(5));
    let mut m = BTreeMap::new(); for i in 0..1000 { *m.entry(i % 10).or_insert(0) += i; } println!("{:?}", m); std::process::exit(6);
}
EOF
/usr/bin/rustc --version | cut -d' ' -f1
/usr/bin/rustc --edition 2021 -O -o scratch/prog t.rs && scratch/prog 2>/dev/null; echo $?
echo 'fn main() { let x: i32 = "s"; }' >b.rs; /usr/bin/rustc b.rs 2>&1 | head -n 1
