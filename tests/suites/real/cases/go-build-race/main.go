package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	jobs, results := make(chan int), make(chan [2]int, 8)
	var workers sync.WaitGroup
	for w := 0; w < 4; w++ {
		workers.Add(1)
		go func(w int) {
			defer workers.Done()
			for j := range jobs {
				if j%10 == 0 {
					time.Sleep(time.Millisecond)
				}
				results <- [2]int{w, j}
			}
		}(w)
	}
	go func() {
		for j := 0; j < 100; j++ {
			jobs <- j
		}
		close(jobs)
		workers.Wait()
		close(results)
	}()
	total, order := 0, ""
	for r := range results {
		total += r[1]
		order += fmt.Sprintf(" %d:%d", r[0], r[1])
	}
	fmt.Println("order", order)
	fmt.Println("total", total)

	racy := 0
	var both sync.WaitGroup
	for w := 0; w < 2; w++ {
		both.Add(1)
		go func() {
			defer both.Done()
			for i := 0; i < 1000; i++ {
				racy++
			}
		}()
	}
	both.Wait()
	fmt.Println("racy", racy)
}
