package page

import (
	"context"
	"errors"
	"sync"
	"time"

	attributes "go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// counts tell operators of pages that are old, and why they are.
type counts struct {
	failures metric.Int64Counter

	mu     sync.Mutex
	minute int64 // since 1970
	// oldest page that was shown in this minute and in the one before it.
	oldest, before time.Duration
}

func newCounts(meter metric.Meter, now func() time.Time) (*counts, error) {
	c := &counts{}
	var err, gerr error
	c.failures, err = meter.Int64Counter("serein.gateway.page.failures", metric.WithUnit("{failure}"),
		metric.WithDescription("Questions that brought no new page, by `rpc` and `kind`: `unanswered` (content is away, slow or fails), "+
			"`unfilled` (the answer is none that the template can show, a fault of the build); the last good copy is shown "+
			"meanwhile"))
	_, gerr = meter.Float64ObservableGauge("serein.gateway.page.age", metric.WithUnit("s"),
		metric.WithDescription("Age of the oldest filled page that was shown in this minute or the one before, in seconds, as its "+
			"`X-Serein-Content-Age` says; more than some minutes: content is away, or its upstream"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			o.Observe(c.age(now()).Seconds())
			return nil
		}))
	return c, errors.Join(err, gerr)
}

// shown counts a page of that age.
func (c *counts) shown(now time.Time, age time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn(now)
	c.oldest = max(c.oldest, age)
}

func (c *counts) age(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn(now)
	return max(c.oldest, c.before)
}

// turn begins a minute.
func (c *counts) turn(now time.Time) {
	const seconds = 60
	switch minute := now.Unix() / seconds; minute {
	case c.minute:
	case c.minute + 1:
		c.minute, c.before, c.oldest = minute, c.oldest, 0
	default:
		c.minute, c.before, c.oldest = minute, 0, 0
	}
}

func (c *counts) failed(ctx context.Context, rpc, kind string) {
	c.failures.Add(ctx, 1, metric.WithAttributes(attributes.String("rpc", rpc), attributes.String("kind", kind)))
}
