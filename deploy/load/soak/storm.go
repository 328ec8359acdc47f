package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	"serein.app/services/platform/pause"
)

const (
	// aPart dies every killEvery to killEvery + killJitter.
	killEvery  = 2 * time.Second
	killJitter = time.Second
	// drainTime bounds the end of what was accepted: nothing lives longer.
	drainTime = 12 * time.Minute
	// finished is the least share of accepted work that is made although parts die.
	finished = 0.95
)

// storm kills a random part every two to three seconds while members ask for meditations.
func storm(ctx context.Context, s *soak) (err error) {
	product, leave, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = leave(err) }()
	members, err := join(ctx, product, s.members)
	if err != nil {
		return err
	}
	say("  %d members, %s of storm", len(members), s.during())
	asked := newRequests()
	storming, calm := context.WithTimeout(ctx, s.during())
	defer calm()
	var running sync.WaitGroup
	for _, m := range members {
		running.Go(func() { asked.keepAsking(storming, m) })
	}
	kills := killing(storming, product)
	running.Wait()
	if err := product.AwaitReady(ctx); err != nil {
		return err
	}
	say("  calm after %d kills; %d accepted", kills, asked.count())
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	ends, err := asked.drain(ctx)
	if err != nil {
		return err
	}
	say("  ends %v, refused %v", ends, asked.refused)
	if err := balanced(ctx, product, members, asked); err != nil {
		return err
	}
	if share := float64(ends["ready"]) / float64(len(asked.accepted)); share < finished {
		return fmt.Errorf("%.0f %% of what was accepted is made, not %.0f", share*100, finished*100)
	}
	return nil
}

// keepAsking is a member who wants one meditation after another. What was asked for before the storm ends is
// asked for until it is answered.
func (r *requests) keepAsking(ctx context.Context, m *harness.Member) {
	answered, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	for n := 1; ctx.Err() == nil; n++ {
		id, reason, err := r.ask(answered, m, fmt.Sprintf("Evening number %d", n))
		if err != nil || reason == "INSUFFICIENT_CREDITS" {
			return
		}
		if reason != "" {
			_ = pause.For(ctx, time.Second)
			continue
		}
		_, _ = r.await(ctx, m, id) // what has not ended by then is waited for afterwards
	}
}

// killing kills parts until ctx ends, starts each again at once, and answers how many deaths that were.
func killing(ctx context.Context, product *harness.Harness) (kills int) {
	victims := append(stack.Programs(), "postgres", "nats", "redis")
	var reviving sync.WaitGroup
	defer reviving.Wait()
	for ctx.Err() == nil {
		_ = pause.For(ctx, killEvery+rand.N(killJitter))
		victim := victims[rand.IntN(len(victims))]
		if ctx.Err() != nil || !product.Up(victim) {
			continue
		}
		if err := product.KillPart(victim); err != nil {
			say("  %s does not die: %v", victim, err)
			continue
		}
		kills++
		reviving.Go(func() {
			if err := product.Revive(context.WithoutCancel(ctx), victim); err != nil {
				say("  %v", err)
			}
		})
	}
	return kills
}
