package purchases

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"serein.app/services/platform/pause"
)

// points are the moments of a purchase at which each process dies, one after the other.
var points = map[string][]string{
	"billing": {
		"after_order_kept", "after_session_created", "after_session_kept", "after_webhook_kept", "after_grant_before_commit",
		"after_commit_before_answer", "after_publish_before_mark",
	},
	"basket": {"after_handled_before_ack", "after_publish_before_mark"},
}

// passes of a failpoint before the next one kills, at most.
const passes = 3

// arming says at each start of a process which failpoint will kill it.
type arming struct {
	mu    sync.Mutex
	on    bool
	turn  map[string]int
	armed map[string]string
}

func newArming() *arming { return &arming{turn: map[string]int{}, armed: map[string]string{}} }

// environ is what a service is started with.
func (a *arming) environ(service string) map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := points[service]
	if !a.on || len(of) == 0 {
		delete(a.armed, service)
		return nil
	}
	point := of[a.turn[service]%len(of)]
	a.turn[service]++
	a.armed[service] = service + "/" + point
	return map[string]string{"FAILPOINTS": fmt.Sprintf("%s:%d", point, 1+rand.IntN(passes))}
}

func (a *arming) set(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = on
}

func (a *arming) arm()    { a.set(true) }
func (a *arming) disarm() { a.set(false) }

func (a *arming) now(service string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.armed[service]
}

// failpoints starts again whoever a failpoint has killed. The first start with one comes here too.
func (s *storm) failpoints(ctx context.Context) {
	for service := range points {
		s.died(service, s.product.KillPart(service))
		s.revive(ctx, service)
	}
	for pause.For(ctx, 20*time.Millisecond) == nil {
		for service := range points {
			if !s.product.Up(service) {
				s.died(s.arming.now(service), nil)
				s.revive(ctx, service)
			}
		}
	}
}

// outages takes PostgreSQL and the broker away in turn.
func (s *storm) outages(ctx context.Context) {
	for n := 0; pause.For(ctx, s.OutageEvery) == nil; n++ {
		part := []string{"postgres", "nats"}[n%2]
		s.died(part, s.product.KillPart(part))
		s.revive(ctx, part)
	}
}

func (s *storm) died(what string, err error) {
	if err != nil {
		s.Say("  %s does not die: %v", what, err)
		return
	}
	s.count(func(r *Report) { r.Kills[what]++ })
}

// revive is not given up with the storm: nobody else would start the part.
func (s *storm) revive(ctx context.Context, part string) {
	if err := s.product.Revive(context.WithoutCancel(ctx), part); err != nil {
		s.Say("  %v", err)
	}
}

// webhooks has each event told two or three times, at once or late, and in another order.
func (s *storm) webhooks(ctx context.Context) {
	late := false
	for ctx.Err() == nil {
		late = !late
		how := map[string]any{"repeat": 1, "shuffle": true}
		if late {
			how = map[string]any{"repeat": 2, "shuffle": true, "delay": 1500}
		}
		if err := s.control(ctx, "delivery", how, nil); err != nil && ctx.Err() == nil {
			s.Say("  webhooks: %v", err)
		}
		_ = pause.For(ctx, 3*time.Second)
	}
}

// disarm starts everything that was to die once more, to live.
func (s *storm) disarm(ctx context.Context) error {
	s.arming.disarm()
	var faults []error
	for _, part := range []string{"postgres", "nats"} {
		faults = append(faults, s.product.Revive(ctx, part))
	}
	for service := range points {
		if s.product.Up(service) {
			faults = append(faults, s.product.KillPart(service))
		}
		faults = append(faults, s.product.Revive(ctx, service))
	}
	return errors.Join(append(faults, s.product.AwaitReady(ctx))...)
}
