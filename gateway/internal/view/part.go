package view

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/cached"
)

const (
	// Wrong is how long a view may show what is not so any more.
	Wrong = 2 * time.Second
	// oldest is the age at which the view asks again for every answer, whatever events it received: an operator may change data by hand,
	// and no event reports that.
	oldest = time.Minute
	// size of each part, in members; the least recently shown makes room. About 1 KB a member.
	size = 20_000
)

// Asker asks a service for what it knows of a member, and until when time leaves that alone; the zero
// time: for ever.
type Asker[T any] func(ctx context.Context, uid string) (value T, until time.Time, err error)

// Part is what one service says of each member. Its values are shared and never changed.
type Part[T any] struct {
	ask    Asker[T]
	source *Source
	now    func() time.Time
	count  *counts

	known *cached.Map[string, answer[T]]
	// mu guards asking. Under it an answer is kept or dropped, so that none is kept which was dropped on its way.
	mu     sync.Mutex
	asking map[string][]*question[T]
}

// answer to a question that was asked then.
type answer[T any] struct {
	value        T
	asked, until time.Time
}

// question is under way. One that was dropped is answered, and its answer forgotten: it may have
// been given before the change.
type question[T any] struct {
	asked   time.Time
	dropped bool
	done    chan struct{}
	value   T
	err     error
}

// NewPart makes an empty part that follows source.
func NewPart[T any](name string, source *Source, ask Asker[T], meter metric.Meter, now func() time.Time) (*Part[T], error) {
	count, err := newCounts(name, meter)
	if err != nil {
		return nil, err
	}
	p := &Part[T]{
		ask: ask, source: source, now: now, count: count,
		known: cached.NewMap[string, answer[T]](size, now), asking: map[string][]*question[T]{},
	}
	source.add(p.heard)
	return p, nil
}

// Current is what is known of a member, if it has not been wrong for longer than Wrong.
func (p *Part[T]) Current(uid string) (value T, ok bool) {
	now := p.now()
	last, ok := p.known.Get(uid)
	if !ok || !p.holds(last, now) {
		return value, false
	}
	p.count.hit(now.Sub(last.asked))
	return last.value, true
}

// holds: an answer is right for Wrong in any case, since no change can be older than it. After that it holds only while the source says
// that every change up to Wrong ago has arrived.
func (p *Part[T]) holds(a answer[T], now time.Time) bool {
	age := now.Sub(a.asked)
	switch {
	case age >= oldest, !a.until.IsZero() && !now.Before(a.until):
		return false
	case age < Wrong:
		return true
	}
	return p.source.heardAll(a.asked, now)
}

// Get answers what is current, and asks where nothing is: one question at a time for each member,
// which does not end with those who wait. Errors: those of the Asker.
func (p *Part[T]) Get(ctx context.Context, uid string) (T, error) {
	if value, ok := p.Current(uid); ok {
		return value, nil
	}
	p.count.miss()
	p.mu.Lock()
	var q *question[T]
	if under := p.asking[uid]; len(under) > 0 {
		q = under[len(under)-1]
	} else {
		q = p.begin(uid)
		go p.answer(context.WithoutCancel(ctx), uid, q)
	}
	p.mu.Unlock()
	select {
	case <-q.done:
		return q.value, q.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// Ask asks the service, also when an answer is known, for callers that must not use an older one. Errors: those of the Asker.
func (p *Part[T]) Ask(ctx context.Context, uid string) (T, error) {
	p.mu.Lock()
	q := p.begin(uid)
	p.mu.Unlock()
	p.answer(ctx, uid, q)
	return q.value, q.err
}

// begin notes a question, under mu.
func (p *Part[T]) begin(uid string) *question[T] {
	q := &question[T]{asked: p.now(), done: make(chan struct{})}
	p.asking[uid] = append(p.asking[uid], q)
	return q
}

func (p *Part[T]) answer(ctx context.Context, uid string, q *question[T]) {
	var until time.Time
	q.value, until, q.err = p.ask(ctx, uid)
	p.mu.Lock()
	defer p.mu.Unlock()
	close(q.done)
	if q.dropped {
		return
	}
	p.forget(uid, q)
	if last, ok := p.known.Get(uid); q.err == nil && (!ok || !last.asked.After(q.asked)) {
		p.known.Keep(uid, answer[T]{value: q.value, asked: q.asked, until: until})
	}
}

func (p *Part[T]) forget(uid string, q *question[T]) {
	left := slices.DeleteFunc(p.asking[uid], func(other *question[T]) bool { return other == q })
	if len(left) == 0 {
		delete(p.asking, uid)
		return
	}
	p.asking[uid] = left
}

// Drop forgets what is known of a member, and what is being asked.
func (p *Part[T]) Drop(uid string) { p.drop(uid, causeAct) }

func (p *Part[T]) heard(uid string) { p.drop(uid, causeEvent) }

func (p *Part[T]) drop(uid string, cause cause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, q := range p.asking[uid] {
		q.dropped = true
	}
	delete(p.asking, uid)
	if p.known.Drop(uid) {
		p.count.drop(cause)
	}
}
