package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/pause"
)

// requests are what members have asked for, and what they were told.
type requests struct {
	mu       sync.Mutex
	accepted map[string]acceptance // by id
	refused  map[string]int        // by reason
	// refusals is how long each refusal as busy took.
	refusals []time.Duration
}

type acceptance struct {
	member *harness.Member
	at     time.Time
}

func newRequests() *requests {
	return &requests{accepted: map[string]acceptance{}, refused: map[string]int{}}
}

func (r *requests) accept(id string, m *harness.Member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.accepted[id] = acceptance{m, time.Now()}
}

func (r *requests) refuse(reason string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused[reason]++
	if reason == busy {
		r.refusals = append(r.refusals, took)
	}
}

func (r *requests) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.accepted)
}

const busy = "GENERATION_BUSY"

// final are refusals that another try with the same request does not change.
var final = map[string]bool{busy: true, "INSUFFICIENT_CREDITS": true, "TOO_MANY_GENERATIONS": true}

// ask sends one request until it is answered, as a browser does that goes on with the same key while parts are
// away. It answers the reason of a refusal; none when it was accepted.
func (r *requests) ask(ctx context.Context, m *harness.Member, title string) (id, reason string, err error) {
	request := harness.SmallRequest(title)
	for {
		began := time.Now()
		made, err := m.GenerateOnce(ctx, request)
		if err == nil {
			r.accept(made.GetId(), m)
			return made.GetId(), "", nil
		}
		refusal := harness.RefusalOf(err)
		if final[refusal.Reason] {
			r.refuse(refusal.Reason, time.Since(began))
			return "", refusal.Reason, nil
		}
		if ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		if refusal.Reason == "SIGN_IN_REQUIRED" {
			_ = m.SignIn(ctx) // it is tried again with the next round
		}
		_ = pause.For(ctx, 200*time.Millisecond)
	}
}

// await waits until a meditation has ended, even while parts of the product are down.
func (r *requests) await(ctx context.Context, m *harness.Member, id string) (webv1.Stage, error) {
	for ctx.Err() == nil {
		found, err := m.Meditation(ctx, id)
		if stage := found.GetMeditation().GetStage(); err == nil && stage >= webv1.Stage_STAGE_READY {
			return stage, nil
		}
		if harness.RefusalOf(err).Reason == "SIGN_IN_REQUIRED" {
			_ = m.SignIn(ctx)
		}
		_ = pause.For(ctx, 200*time.Millisecond)
	}
	return webv1.Stage_STAGE_UNSPECIFIED, ctx.Err()
}

// join makes members, some at once.
func join(ctx context.Context, product *harness.Harness, n int) ([]*harness.Member, error) {
	members := make([]*harness.Member, n)
	errs := make([]error, n)
	slots := make(chan struct{}, 4)
	var joining sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		joining.Go(func() {
			defer func() { <-slots }()
			members[i], errs[i] = joinOne(ctx, product)
		})
	}
	joining.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	return members, nil
}

// joinOne makes a member. Many sign-ins at once are more than a busy machine hashes passwords for, and some are told to
// wait.
func joinOne(ctx context.Context, product *harness.Harness) (member *harness.Member, err error) {
	for range 5 {
		if member, err = product.NewMember(ctx); err == nil {
			break
		}
		if paused := pause.For(ctx, 5*time.Second); paused != nil {
			return nil, errors.Join(err, paused)
		}
	}
	return member, err
}
