package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/pause"
)

// memoryMembers have one meditation in the making each, so as many are made at once. One address
// may not sign in many more members in a row.
const memoryMembers = 6

// measureMemory looks at all that `make run` runs: one process, and PostgreSQL's.
func measureMemory(ctx context.Context, b *bench) (figures []Figure, err error) {
	program, err := buildStack(ctx, b.root)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	first, err := b.firstRest(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	r, err := startStack(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	rest, err := b.look(ctx, r)
	if err != nil {
		return nil, err
	}
	figures = []Figure{
		Figure{Name: "resident after the first start", Value: Quantity{first, "MiB"}}.below(400),
		Figure{Name: "resident at rest", Value: Quantity{rest, "MiB"}}.below(400),
	}
	if b.meditations == 0 {
		return figures, nil
	}
	if err := b.makeMeditations(ctx, r); err != nil {
		return figures, err
	}
	after, err := b.look(ctx, r)
	if err != nil {
		return figures, err
	}
	name := fmt.Sprintf("more after %d meditations", b.meditations)
	return append(figures, Figure{Name: name, Value: Quantity{after - rest, "MiB"}}.below(100)), nil
}

// firstRest is the memory after the start that compiles the WebAssembly and makes the tracks.
func (b *bench) firstRest(ctx context.Context, program, dir string) (mib float64, err error) {
	r, err := startStack(ctx, program, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	product, err := r.harness(b.root)
	if err != nil {
		return 0, err
	}
	if err := awaitTracks(ctx, product); err != nil {
		return 0, err
	}
	return b.look(ctx, r)
}

// look gives the memory of the stack in MiB, after a pause.
func (b *bench) look(ctx context.Context, r *running) (float64, error) {
	if err := pause.For(ctx, b.rest); err != nil {
		return 0, err
	}
	own, postgres, err := resident(r.cmd.Process.Pid)
	b.say("  %.0f MiB and PostgreSQL %.0f MiB", own, postgres)
	return own + postgres, err
}

// makeMeditations has members make MiniMeds to their end, several at once, every second one
// immersive.
func (b *bench) makeMeditations(ctx context.Context, r *running) error {
	product, err := r.harness(b.root)
	if err != nil {
		return err
	}
	// They come one by one, before the machine is busy: identity hashes few passwords at once.
	members := make([]*harness.Member, memoryMembers)
	for i := range members {
		if members[i], err = richMember(ctx, product); err != nil {
			return err
		}
	}
	var made atomic.Int64
	faults := make([]error, memoryMembers)
	var all sync.WaitGroup
	for i, m := range members {
		all.Go(func() { faults[i] = b.makeSome(ctx, m, &made) })
	}
	all.Wait()
	return errors.Join(faults...)
}

// richMember has more credits than the trial gives.
func richMember(ctx context.Context, product *harness.Harness) (*harness.Member, error) {
	m, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	_, err = harness.SQL[string](ctx, product, "billing",
		`SELECT grant_credits($1, 'top_up', 1000, 'bench:' || gen_random_uuid(), NULL, 'Load', '', now())`, m.UID)
	if err != nil {
		return nil, fmt.Errorf("give credits: %w", err)
	}
	return m, nil
}

// makeSome makes one after the other until all members together have made enough.
func (b *bench) makeSome(ctx context.Context, m *harness.Member, made *atomic.Int64) error {
	for n := made.Add(1); n <= int64(b.meditations); n = made.Add(1) {
		w := harness.SmallRequest(titles[n%int64(len(titles))])
		w.Immersive = n%2 == 0
		if err := makeOne(ctx, m, w); err != nil {
			return fmt.Errorf("meditation %d: %w", n, err)
		}
		if n%10 == 0 {
			b.say("  %d made", n)
		}
	}
	return nil
}

func makeOne(ctx context.Context, m *harness.Member, w *webv1.GenerateRequest) error {
	ctx, cancel := context.WithTimeout(ctx, 5*requestTime)
	defer cancel()
	made, err := m.Generate(ctx, w)
	if err != nil {
		return err
	}
	_, err = awaitReady(ctx, m, made.GetId())
	return err
}
