package balancer

import (
	"context"
	"sync/atomic"
	"time"

	"serein.app/services/platform/pause"
)

// every is how often a replica is asked; a drain takes many times as long.
const every = 250 * time.Millisecond

// Replica is a process that takes connections while it is ready.
type Replica struct {
	ask   func(context.Context) bool
	ready atomic.Bool
}

// NewReplica is not ready yet; ask asks it.
func NewReplica(ask func(context.Context) bool) *Replica { return &Replica{ask: ask} }

// Watch asks the replica until ctx ends.
func (r *Replica) Watch(ctx context.Context) error {
	r.ready.Store(r.ask(ctx))
	for pause.For(ctx, every) == nil {
		r.ready.Store(r.ask(ctx))
	}
	return nil
}

// Admit says that the replica has just answered that it is ready.
func (r *Replica) Admit() { r.ready.Store(true) }
