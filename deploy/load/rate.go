package main

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// operation is what a caller does again and again, each time for another member.
type operation func(ctx context.Context, member int64) error

// rate is how many operations a second the callers do together.
func (b *bench) rate(ctx context.Context, do operation) (float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	end := began.Add(b.during)
	for range b.callers {
		all.Go(func() {
			for ctx.Err() == nil && time.Now().Before(end) {
				if err := do(ctx, done.Add(1)%members); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(began).Seconds(), context.Cause(ctx)
}

// cost is a rate and what it took.
type cost struct {
	rate       float64
	took, used time.Duration
}

// costing measures the processor time of everything this program has started, itself included.
func costing(measure func() (float64, error)) (cost, error) {
	before, err := processorTime(os.Getpid())
	if err != nil {
		return cost{}, err
	}
	began := time.Now()
	rate, err := measure()
	took := time.Since(began)
	if err != nil {
		return cost{}, err
	}
	after, err := processorTime(os.Getpid())
	return cost{rate, took, after - before}, err
}

// each is the processor time of one operation.
func (c cost) each() Quantity {
	return Quantity{float64(c.used.Microseconds()) / (c.rate * c.took.Seconds()), "µs"}
}
