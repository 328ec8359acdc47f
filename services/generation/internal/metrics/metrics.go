// Package metrics counts what operators of the service need to know; the README explains each metric.
package metrics

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/spoken"
)

const prefix = "serein.generation."

// Metrics are the service's own.
type Metrics struct {
	refused, setbacks, lost, shed, narrated, purged metric.Int64Counter
	spokenHits, spokenMisses, spokenRemoved         metric.Int64Counter
	outsideCalls, fallbacks                         metric.Int64Counter
	outsideCost                                     metric.Float64Counter
	firstSound                                      metric.Float64Histogram
	writing
}

var (
	_ meditation.Metrics  = (*Metrics)(nil)
	_ publication.Metrics = (*Metrics)(nil)
	_ spoken.Metrics      = (*Metrics)(nil)
	_ limits.Metrics      = (*Metrics)(nil)
)

// New makes the instruments.
func New(provider metric.MeterProvider) (*Metrics, error) {
	meter := provider.Meter("serein/generation")
	m := &Metrics{}
	var faults [14]error
	m.refused, faults[0] = meter.Int64Counter(prefix+"refused", metric.WithUnit("{request}"),
		metric.WithDescription("Requests refused, by `reason`; `GENERATION_BUSY` says that there are too few recorders"))
	m.setbacks, faults[1] = meter.Int64Counter(prefix+"setbacks", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that ended early, by `reason`: `stopped` (the process), `away` (a part), and of the work's own "+
			"`writing`, `narration`, `panic`"))
	m.lost, faults[2] = meter.Int64Counter(prefix+"leases.lost", metric.WithUnit("{meditation}"),
		metric.WithDescription("Pieces taken from workers that died"))
	m.shed, faults[3] = meter.Int64Counter(prefix+"shed", metric.WithUnit("{meditation}"),
		metric.WithDescription("Accepted pieces given up before they began; more than none says that workers were lost"))
	m.firstSound, faults[4] = meter.Float64Histogram(prefix+"first_sound", metric.WithUnit("s"),
		metric.WithDescription("Histogram: seconds from the request until its first segment can be heard"),
		metric.WithExplicitBucketBoundaries(.25, .5, 1, 2, 4, 8, 15, 30, 60, 120, 240, 480))
	m.narrated, faults[5] = meter.Int64Counter(prefix+"narrations.ended", metric.WithUnit("{narration}"),
		metric.WithDescription("Narrations that ended, by `state`; after a `failed` one an operator should read the text"))
	m.purged, faults[6] = meter.Int64Counter(prefix+"purged", metric.WithUnit("{meditation}"),
		metric.WithDescription("Meditations that were deleted for good, 14 days after their member marked them"))
	m.spokenHits, faults[7] = meter.Int64Counter(prefix+"spoken.hits", metric.WithUnit("{sentence}"),
		metric.WithDescription("Sentences that were not synthesised, since the blob store has them"))
	m.spokenMisses, faults[8] = meter.Int64Counter(prefix+"spoken.misses", metric.WithUnit("{sentence}"),
		metric.WithDescription("Sentences that were synthesised, by `reason`: `absent`, `damaged`, `away` (the blob store), `own` (a "+
			"member's words). Many `absent` ones for days ask for a larger `SPOKEN_BYTES`"))
	m.spokenRemoved, faults[9] = meter.Int64Counter(prefix+"spoken.removed", metric.WithUnit("{sentence}"),
		metric.WithDescription("Kept sentences that were removed to hold the limit, the least recently used first"))
	m.outsideCalls, faults[10] = meter.Int64Counter(prefix+"outside.calls", metric.WithUnit("{call}"),
		metric.WithDescription("Calls of outside narrators' vendors, by `vendor` and `outcome`: `said`, `refused` (settings, key or text), `overloaded` (429, 503), "+
			"`broken` (no answer in time, or not the speech of the text), `resting` (no recording begins after five failures in a row), `over_budget`, `cancelled`"))
	m.outsideCost, faults[11] = meter.Float64Counter(prefix+"outside.cost", metric.WithUnit("1"),
		metric.WithDescription("What these calls have cost, by `vendor`, in the currency of the prices; what a vendor bills may differ"))
	m.fallbacks, faults[12] = meter.Int64Counter(prefix+"outside.fallbacks", metric.WithUnit("{meditation}"),
		metric.WithDescription("Meditations that a built-in narrator has spoken, since the outside one failed before the first sentence, by the outside one's id "+
			"(`narrator`)"))
	m.writing, faults[13] = newWriting(meter)
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

// OutsideCall counts a call of an outside narrator's vendor.
func (m *Metrics) OutsideCall(ctx context.Context, vendor, outcome string) {
	m.outsideCalls.Add(ctx, 1, metric.WithAttributes(attribute.String("vendor", vendor), attribute.String("outcome", outcome)))
}

// OutsideCost adds what such a call has cost.
func (m *Metrics) OutsideCost(ctx context.Context, vendor string, cost float64) {
	m.outsideCost.Add(ctx, cost, metric.WithAttributes(attribute.String("vendor", vendor)))
}

// FellBack counts a meditation of which an outside narrator has not said the first sentence. Their ids are those of a file.
func (m *Metrics) FellBack(ctx context.Context, narratorID string) {
	m.fallbacks.Add(ctx, 1, metric.WithAttributes(attribute.String("narrator", narratorID)))
}

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
		metric.WithDescription("Narrations of published articles and library meditations that are not made yet; members come first, so "+
			"hours of waiting are no fault"),
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
		metric.WithDescription("What the blob store keeps of spoken sentences, in bytes"),
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
	gauge("queue.pieces", "{meditation}", "Accepted pieces that are not narrated yet; counted to 10,000", func() float64 { return float64(load().Pieces) })
	gauge("queue.sound", "s", "Seconds of sound that the accepted pieces still need; counted to 10,000 pieces", func() float64 { return load().Sound.Seconds() })
	gauge("queue.age", "s", "Seconds that the oldest piece has waited that no worker has begun; minutes are too many", func() float64 {
		if oldest := load().Oldest; oldest.Unix() > 0 {
			return now().Sub(oldest).Seconds()
		}
		return 0
	})
	gauge("workers", "{process}", "Processes that make meditations and are alive", func() float64 { return float64(load().Workers) })
	gauge("recorders", "{recorder}", "Recorders of all workers that are alive", func() float64 { return float64(load().Recorders) })
	gauge("rate", "1", "Seconds of sound that all workers make in a second", func() float64 { return load().Rate.Seconds() })
	gauge("pace", "1", "Seconds that a recorder of this process works for a second of sound, a moving average", func() float64 { return pace().Seconds() })
	return errors.Join(faults...)
}
