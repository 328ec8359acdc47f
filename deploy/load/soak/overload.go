package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"serein.app/deploy/e2e/harness"
)

const (
	// crowd is how many members press Generate; each may have three pieces at work and eight in all. Identity lets
	// no more sign in from one address in a quarter of an hour, give or take.
	crowd = 48
	// warmUp is for the pace to be measured.
	warmUp = 4
	// refusalTime is the most that 99 of 100 refusals may take while all processors are busy.
	refusalTime = 500 * time.Millisecond
)

// overload fills the studio, and then asks for several times what it can make. Everything that is accepted must be
// finished in time and everything else refused at once, with no credit lost.
func overload(ctx context.Context, s *soak) (err error) {
	product, leave, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = leave(err) }()
	members, err := join(ctx, product, crowd)
	if err != nil {
		return err
	}
	asked := newRequests()
	rate, err := asked.measure(ctx, members[:warmUp])
	if err != nil {
		return err
	}
	say("  the machine makes %.2f meditations a second", rate)
	asked.fill(ctx, members)
	say("  full with %d accepted", asked.count())
	asked.pour(ctx, members, rate*s.times, s.during())
	say("  %d accepted, refused %v, p50 and p99 of a refusal %s and %s", asked.count(), asked.refused,
		percentile(asked.refusals, 50), percentile(asked.refusals, 99))
	draining, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	ends, err := asked.drain(draining)
	if err != nil {
		return err
	}
	say("  ends %v", ends)
	var faults []error
	if ends["ready"] != len(asked.accepted) {
		faults = append(faults, fmt.Errorf("%d were accepted and %d made", len(asked.accepted), ends["ready"]))
	}
	if asked.refused[busy] == 0 {
		faults = append(faults, errors.New("nobody was refused: that was no overload"))
	}
	if slow := percentile(asked.refusals, 99); slow > refusalTime {
		faults = append(faults, fmt.Errorf("a refusal takes %s (p99), not at most %s", slow, refusalTime))
	}
	return errors.Join(append(faults, balanced(draining, product, members, asked))...)
}

// measure makes some meditations at once and answers how many a second that were.
func (r *requests) measure(ctx context.Context, members []*harness.Member) (rate float64, err error) {
	began := time.Now()
	var making sync.WaitGroup
	errs := make([]error, len(members))
	for i, m := range members {
		making.Go(func() {
			id, _, err := r.ask(ctx, m, "A first evening")
			if err == nil {
				_, err = r.await(ctx, m, id)
			}
			errs[i] = err
		})
	}
	making.Wait()
	return float64(len(members)) / time.Since(began).Seconds(), errors.Join(errs...)
}

// fill asks for one after another until one is refused for want of time.
func (r *requests) fill(ctx context.Context, members []*harness.Member) {
	for n := 0; ctx.Err() == nil; n++ {
		if _, reason, _ := r.ask(ctx, members[n%len(members)], "A long evening"); reason == busy {
			return
		}
	}
}

// pour asks at that rate, whatever the answers are.
func (r *requests) pour(ctx context.Context, members []*harness.Member, rate float64, during time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, during)
	defer cancel()
	due := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer due.Stop()
	var asking sync.WaitGroup
	defer asking.Wait()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-due.C:
		}
		asking.Go(func() {
			answered, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
			defer cancel()
			_, _, _ = r.ask(answered, members[n%len(members)], "An evening more")
		})
	}
}

func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)].Round(time.Millisecond)
}
