#!/bin/sh
# cargo without a network: a workspace of three crates of its own, built by several jobs, and its tests.
# shows: ^sum 4950 by 4 threads$
# shows: test result: ok\. 2 passed
# level: full
set -eu
export CARGO_HOME="$PWD/home" HOME="$PWD" PATH=/usr/bin:/bin
mkdir -p one/src two/src app/src
printf '[workspace]\nmembers = ["one", "two", "app"]\n' >Cargo.toml
for c in one two app; do printf '[package]\nname = "%s"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n' $c >$c/Cargo.toml; done
printf 'one = { path = "../one" }\ntwo = { path = "../two" }\n' >>app/Cargo.toml
cat >one/src/lib.rs <<'R'
pub fn parts(n: u64, of: u64) -> Vec<Vec<u64>> {
    (0..of).map(|k| (0..n).filter(|i| i % of == k).collect()).collect()
}
#[cfg(test)]
mod tests {
    #[test]
    fn all_parts() { assert_eq!(super::parts(10, 3).iter().map(|p| p.len()).sum::<usize>(), 10); }
    #[test]
    fn first_part() { assert_eq!(super::parts(10, 3)[0], vec![0, 3, 6, 9]); }
}
R
cat >two/src/lib.rs <<'R'
use std::collections::HashMap;
pub fn count(words: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in words.split(' ') { *counts.entry(word).or_insert(0) += 1; }
    counts
}
R
cat >app/src/main.rs <<'R'
use std::sync::mpsc;
use std::thread;
fn main() {
    let (send, receive) = mpsc::channel();
    let threads: Vec<_> = one::parts(100, 4).into_iter().enumerate().map(|(k, part)| {
        let send = send.clone();
        thread::spawn(move || for n in part { send.send((k, n)).unwrap(); })
    }).collect();
    drop(send);
    let all: Vec<(usize, u64)> = receive.iter().collect();
    let by = threads.len();
    for t in threads { t.join().unwrap(); }
    println!("order {:?}", all);
    println!("sum {} by {} threads", all.iter().map(|x| x.1).sum::<u64>(), by);
    println!("{:?}", two::count("to be or not to be"));
}
R
cargo build --offline -j 4 2>&1
./target/debug/app
cargo test --offline -p one 2>&1
sha256sum target/debug/app
rm -rf target
