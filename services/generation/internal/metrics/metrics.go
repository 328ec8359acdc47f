// Package metrics counts what operators of the service need to know; the README explains each metric.
package metrics

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/spoken"
)

const prefix = "serein.generation."

// Metrics are the service's own.
type Metrics struct {
	refused, setbacks, lost, shed, narrated, purged metric.Int64Counter
	spokenHits, spokenMisses, spokenRemoved         metric.Int64Counter
	firstSound                                      metric.Float64Histogram
	writing
}

var (
	_ meditation.Metrics  = (*Metrics)(nil)
	_ publication.Metrics = (*Metrics)(nil)
	_ spoken.Metrics      = (*Metrics)(nil)
)

// New makes the instruments.
func New(provider metric.MeterProvider) (*Metrics, error) {
	meter := provider.Meter("serein/generation")
	m := &Metrics{}
	var faults [11]error
	m.refused, faults[0] = meter.Int64Counter(prefix+"refused", metric.WithUnit("{request}"),
		metric.WithDescription("Requests that were refused, by reason."))
	m.setbacks, faults[1] = meter.Int64Counter(prefix+"setbacks", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that ended before their work did, by reason."))
	m.lost, faults[2] = meter.Int64Counter(prefix+"leases.lost", metric.WithUnit("{meditation}"),
		metric.WithDescription("Pieces of work that were taken from workers which died."))
	m.shed, faults[3] = meter.Int64Counter(prefix+"shed", metric.WithUnit("{meditation}"),
		metric.WithDescription("Accepted pieces that were given up before they began, for want of time."))
	m.firstSound, faults[4] = meter.Float64Histogram(prefix+"first_sound", metric.WithUnit("s"),
		metric.WithDescription("From the request until its first segment can be heard."),
		metric.WithExplicitBucketBoundaries(.25, .5, 1, 2, 4, 8, 15, 30, 60, 120, 240, 480))
	m.narrated, faults[5] = meter.Int64Counter(prefix+"narrations.ended", metric.WithUnit("{narration}"),
		metric.WithDescription("Narrations of published articles and library meditations that ended, by state."))
	m.purged, faults[6] = meter.Int64Counter(prefix+"purged", metric.WithUnit("{meditation}"),
		metric.WithDescription("Meditations that were deleted for good, their members' time to recover them being over."))
	m.spokenHits, faults[7] = meter.Int64Counter(prefix+"spoken.hits", metric.WithUnit("{sentence}"),
		metric.WithDescription("Sentences that were not synthesised, since they were kept."))
	m.spokenMisses, faults[8] = meter.Int64Counter(prefix+"spoken.misses", metric.WithUnit("{sentence}"),
		metric.WithDescription("Sentences that were synthesised, by the reason why they were not found."))
	m.spokenRemoved, faults[9] = meter.Int64Counter(prefix+"spoken.removed", metric.WithUnit("{sentence}"),
		metric.WithDescription("Kept sentences that were removed to hold the limit, the least recently used first."))
	m.writing, faults[10] = newWriting(meter)
	return m, errors.Join(faults[:]...)
}

// SpokenHit counts a sentence that was kept.
func (m *Metrics) SpokenHit(ctx context.Context) { m.spokenHits.Add(ctx, 1) }

// SpokenMiss counts a sentence that had to be synthesised.
func (m *Metrics) SpokenMiss(ctx context.Context, reason string) {
	m.spokenMisses.Add(ctx, 1, because(reason))
}

// SpokenRemoved counts kept sentences that were removed.
func (m *Metrics) SpokenRemoved(ctx context.Context, n int) { m.spokenRemoved.Add(ctx, int64(n)) }

// Refused counts a request that was refused.
func (m *Metrics) Refused(ctx context.Context, reason string) { m.refused.Add(ctx, 1, because(reason)) }

// Setback counts an attempt that ended before its work did.
func (m *Metrics) Setback(ctx context.Context, reason string) {
	m.setbacks.Add(ctx, 1, because(reason))
}

// Lost counts pieces that were taken from workers which died.
func (m *Metrics) Lost(ctx context.Context, pieces int) { m.lost.Add(ctx, int64(pieces)) }

// Shed counts accepted pieces that were given up before they began.
func (m *Metrics) Shed(ctx context.Context, pieces int) { m.shed.Add(ctx, int64(pieces)) }

// Purged counts meditations that were deleted for good.
func (m *Metrics) Purged(ctx context.Context, n int) { m.purged.Add(ctx, int64(n)) }

// FirstSound notes how long a member has waited for it.
func (m *Metrics) FirstSound(ctx context.Context, waited time.Duration) {
	m.firstSound.Record(ctx, waited.Seconds())
}

// Narrated counts a narration that ended.
func (m *Metrics) Narrated(ctx context.Context, s publication.State) {
	m.narrated.Add(ctx, 1, metric.WithAttributes(attribute.String("state", string(s))))
}

// WatchNarrations counts the narrations that are not made yet, each time the metrics are read.
func WatchNarrations(provider metric.MeterProvider, count func(context.Context) (int, error)) error {
	_, err := provider.Meter("serein/generation").Int64ObservableGauge(prefix+"narrations.waiting", metric.WithUnit("{narration}"),
		metric.WithDescription("Narrations of published articles and library meditations that are not made yet."),
		metric.WithInt64Callback(func(ctx context.Context, o metric.Int64Observer) error {
			n, err := count(ctx)
			if err == nil {
				o.Observe(int64(n))
			}
			return err
		}))
	return err
}

// WatchSpoken sums up the kept sentences, each time the metrics are read.
func WatchSpoken(provider metric.MeterProvider, bytes func(context.Context) (int64, error)) error {
	_, err := provider.Meter("serein/generation").Int64ObservableGauge(prefix+"spoken.bytes", metric.WithUnit("By"),
		metric.WithDescription("Files of spoken sentences in the blob store."),
		metric.WithInt64Callback(func(ctx context.Context, o metric.Int64Observer) error {
			n, err := bytes(ctx)
			if err == nil {
				o.Observe(n)
			}
			return err
		}))
	return err
}

func because(reason string) metric.AddOption {
	return metric.WithAttributes(attribute.String("reason", reason))
}

// Watch reads the load and this process's own pace whenever the metrics are asked for.
func Watch(provider metric.MeterProvider, load func() meditation.Load, pace func() time.Duration, now func() time.Time) error {
	meter := provider.Meter("serein/generation")
	var faults []error
	gauge := func(name, unit, description string, value func() float64) {
		_, err := meter.Float64ObservableGauge(prefix+name, metric.WithUnit(unit), metric.WithDescription(description),
			metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
				o.Observe(value())
				return nil
			}))
		faults = append(faults, err)
	}
	gauge("queue.pieces", "{meditation}", "Accepted pieces that are not narrated yet.", func() float64 { return float64(load().Pieces) })
	gauge("queue.sound", "s", "Sound that is still to be made for them.", func() float64 { return load().Sound.Seconds() })
	gauge("queue.age", "s", "How long the oldest piece has waited that nobody has begun.", func() float64 {
		if oldest := load().Oldest; oldest.Unix() > 0 {
			return now().Sub(oldest).Seconds()
		}
		return 0
	})
	gauge("workers", "{process}", "Processes that make meditations and are alive.", func() float64 { return float64(load().Workers) })
	gauge("recorders", "{recorder}", "Their recorders.", func() float64 { return float64(load().Recorders) })
	gauge("rate", "1", "Seconds of sound that all of them make in a second.", func() float64 { return load().Rate.Seconds() })
	gauge("pace", "1", "Seconds that a recorder of this process works for a second of sound.", func() float64 { return pace().Seconds() })
	return errors.Join(faults...)
}
