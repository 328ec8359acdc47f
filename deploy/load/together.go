package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"serein.app/deploy/e2e/harness"
)

// atOnce is how many members press Generate in the same moment, and rounds how often that is measured.
const (
	atOnce = 8
	rounds = 5
)

// firstSoundsAtOnce has members press Generate at once, with the requests from the number from on. Nobody cancels before everybody has
// the first segment, so all meditations want the recorders.
func firstSoundsAtOnce(ctx context.Context, product *harness.Harness, from int) (Figure, error) {
	var all []time.Duration
	for round := range rounds {
		members, err := newMembers(ctx, product, atOnce)
		if err != nil {
			return Figure{}, err
		}
		sounds, err := pressAtOnce(ctx, members, from+round*atOnce)
		if err != nil {
			return Figure{}, err
		}
		all = append(all, sounds...)
	}
	return Figure{Name: "eight at once, Generate to first sound, p95", Value: seconds(percentile(all, 95))}.below(1), nil
}

// pressAtOnce gives how long each member waits for the first segment.
func pressAtOnce(ctx context.Context, members []*harness.Member, from int) (sounds []time.Duration, err error) {
	made, heard, faults := make([]string, len(members)), make([]waits, len(members)), make([]error, len(members))
	var pressing sync.WaitGroup
	for i, m := range members {
		pressing.Go(func() { made[i], faults[i] = heard[i].hear(ctx, m, from+i) })
	}
	pressing.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	for i, m := range members {
		sounds = append(sounds, heard[i].sound...)
		if err := giveUp(ctx, m, made[i]); err != nil {
			return nil, err
		}
	}
	return sounds, nil
}
