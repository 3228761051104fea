export GOCACHE=$PWD/scratch/gocache GOPATH=$PWD/scratch/gopath \
  GOFLAGS=-mod=mod GO111MODULE=on CGO_ENABLED=0 GOTOOLCHAIN=local GOTELEMETRY=off
mkdir m; cd m; cat >go.mod <<'EOF'
module example.org/m
go 1.19
EOF
cat >main.go <<'EOF'
package main

import ("fmt"; "os"; "os/exec"; "os/signal"; "sync"; "syscall"; "time")

func main() {
	var wg sync.WaitGroup; var mu sync.Mutex; total := 0
	for i := 0; i < 1000; i++ {
		wg.Add(1)
		go func(n int) { defer wg.Done(); time.Sleep(time.Millisecond); mu.Lock(); total += n; mu.Unlock() }(i)
	}
	wg.Wait(); fmt.Println("goroutines", total)
	c := make(chan int); go func() { for i := 0; i < 1000; i++ { c <- i }; close(c) }(); s := 0
	for x := range c { s += x }; fmt.Println("channel", s)
	out, err := exec.Command("sh", "-c", "echo child; exit 3").CombinedOutput(); fmt.Printf("%q %v\n", out, err)
	sig := make(chan os.Signal, 1); signal.Notify(sig, syscall.SIGUSR1); syscall.Kill(os.Getpid(), syscall.SIGUSR1); fmt.Println(<-sig)
	select { case <-time.After(20 * time.Millisecond): fmt.Println("after"); case <-sig: }
	func() { defer func() { fmt.Println(recover()) }(); var p *int; *p = 1 }()
	func() { defer func() { fmt.Println(recover() != nil) }(); a := []int{}; _ = a[len(os.Args)+5] }()
	done := make(chan bool); go func() { for { select { case <-done: return; default: } } }()
	x := 0; for i := 0; i < 50000000; i++ { x += i & 3 }; done <- true; fmt.Println(x)
	b := make([][]byte, 0); for i := 0; i < 2000; i++ { b = append(b, make([]byte, 10000)) }; fmt.Println(len(b))
	os.WriteFile("written", []byte("x"), 0644); os.Exit(5)
}
EOF
go version | cut -d' ' -f1-2; go build -trimpath -buildvcs=false -o prog . && ./prog; echo $?
go run . >/dev/null; echo $?; go vet .; GOMAXPROCS=1 ./prog | tail -n 1
