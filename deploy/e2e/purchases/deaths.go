package purchases

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/pause"
)

// points are the moments of a purchase at which each process dies, one after the other. Nothing that a purchase needs comes to billing
// by an event: the first is passed by a member who joins, and armed for one alone.
var points = map[string][]failpoint.Point{
	"billing": {
		failpoint.AfterHandledBeforeAck,
		failpoint.AfterOrderKept, failpoint.AfterSessionCreated, failpoint.AfterSessionKept, failpoint.AfterWebhookKept,
		failpoint.AfterGrantBeforeCommit, failpoint.AfterCommitBeforeAnswer, failpoint.AfterPublishBeforeMark,
	},
	"basket": {failpoint.AfterHandledBeforeAck, failpoint.AfterPublishBeforeMark},
}

// lettersPoints are those of who writes about it.
var lettersPoints = map[string][]failpoint.Point{
	"mail": {failpoint.AfterHandledBeforeAck, failpoint.AfterSendBeforeMark, failpoint.AfterPublishBeforeMark},
}

// byJoining is how many points of a service are passed by a member who joins.
var byJoining = map[string]int{"billing": 1}

// passes of a failpoint before the next one kills, at most.
const passes = 3

// arming says at each start of a process which failpoint will kill it.
type arming struct {
	// points of each service that is to die.
	points map[string][]failpoint.Point

	mu   sync.Mutex
	on   bool
	turn map[string]int
}

func newArming(mailDies bool) *arming {
	a := &arming{points: maps.Clone(points), turn: map[string]int{}}
	if mailDies {
		maps.Copy(a.points, lettersPoints)
	}
	return a
}

// environ is what a service is started with.
func (a *arming) environ(service string) map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.points[service]
	if !a.on || len(of) == 0 {
		return nil
	}
	turn, joins := a.turn[service], byJoining[service]
	a.turn[service]++
	if turn < joins {
		return map[string]string{"FAILPOINTS": string(of[turn]) + ":1"}
	}
	point := of[joins+(turn-joins)%(len(of)-joins)]
	return map[string]string{"FAILPOINTS": fmt.Sprintf("%s:%d", point, 1+rand.IntN(passes))}
}

func (a *arming) set(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = on
}

func (a *arming) arm()    { a.set(true) }
func (a *arming) disarm() { a.set(false) }

// arm starts everything that is to die once more, each with a failpoint.
func (s *storm) arm(ctx context.Context) error {
	s.arming.arm()
	var faults []error
	for service := range s.arming.points {
		faults = append(faults, s.product.KillPart(service), s.product.Revive(ctx, service))
	}
	return errors.Join(faults...)
}

// failpoints restarts every service that a failpoint has killed.
func (s *storm) failpoints(ctx context.Context) {
	for pause.For(ctx, 20*time.Millisecond) == nil {
		for service := range s.arming.points {
			if !s.product.Up(service) {
				s.revive(ctx, service)
			}
		}
	}
}

// countFailpoints reads in the services' logs how often each failpoint has killed: a process may die of something else, and of a
// failpoint before anybody has seen it run.
func (s *storm) countFailpoints() error {
	s.report.Failpoints = map[string]int{}
	for service, armed := range s.arming.points {
		log, err := os.ReadFile(filepath.Join(s.Dir, "logs", service+".log"))
		if err != nil {
			return err
		}
		for _, point := range armed {
			s.report.Failpoints[service+"/"+string(point)] = bytes.Count(log, []byte(failpoint.Said(point)))
		}
	}
	return nil
}

// outages takes PostgreSQL and the broker away in turn.
func (s *storm) outages(ctx context.Context) {
	for n := 0; pause.For(ctx, s.OutageEvery) == nil; n++ {
		part := []string{"postgres", "nats"}[n%2]
		if err := s.product.KillPart(part); err != nil {
			s.Say("  %s does not die: %v", part, err)
		} else {
			s.count(func(r *Report) { r.Outages[part]++ })
		}
		s.revive(ctx, part)
	}
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
	for service := range s.arming.points {
		if s.product.Up(service) {
			faults = append(faults, s.product.KillPart(service))
		}
		faults = append(faults, s.product.Revive(ctx, service))
	}
	return errors.Join(append(faults, s.product.AwaitReady(ctx))...)
}
