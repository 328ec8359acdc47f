package metrics

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/writer"
)

// writing counts scripts from outside.
type writing struct{ written, scriptsRefused, mendedMidway, writerSpent metric.Int64Counter }

var _ writer.Metrics = (*Metrics)(nil)

func newWriting(meter metric.Meter) (w writing, err error) {
	var faults [4]error
	w.written, faults[0] = meter.Int64Counter(prefix+"writer.scripts", metric.WithUnit("{script}"),
		metric.WithDescription("Scripts while a writer outside is set, by `outcome`: `model`, `mended` (by the model, at the second time), or why the built-in "+
			"writer wrote: `busy`, `limited`, `away`, `rejected`, `refused`, `slow`, `half`, `malformed`, `faulty`, `resting`, `budget`, `uncounted`"))
	w.scriptsRefused, faults[1] = meter.Int64Counter(prefix+"writer.refused", metric.WithUnit("{script}"),
		metric.WithDescription("Scripts of a model that were refused, by `reason`; many `words` or `breaks` say that the model cannot count"))
	w.writerSpent, faults[2] = meter.Int64Counter(prefix+"writer.spent", metric.WithUnit("{millionth}"),
		metric.WithDescription("What the model cost at the configured prices, in millionths of their currency"))
	w.mendedMidway, faults[3] = meter.Int64Counter(prefix+"writer.mended_midway", metric.WithUnit("{script}"),
		metric.WithDescription("Scripts whose model failed when some of the script was spoken already, by who wrote the rest: `by` is `model` or `built-in`"))
	return w, errors.Join(faults[:]...)
}

// Written counts a script by who wrote it.
func (w writing) Written(ctx context.Context, outcome string) {
	w.written.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", outcome)))
}

// ScriptRefused counts a script of a model's that was refused.
func (w writing) ScriptRefused(ctx context.Context, reason string) {
	w.scriptsRefused.Add(ctx, 1, because(reason))
}

// MendedMidway counts a script of which some was spoken when it failed, by who wrote the rest.
func (w writing) MendedMidway(ctx context.Context, by string) {
	w.mendedMidway.Add(ctx, 1, metric.WithAttributes(attribute.String("by", by)))
}

// WriterSpent counts money.
func (w writing) WriterSpent(ctx context.Context, cost budget.Cost) {
	w.writerSpent.Add(ctx, int64(cost))
}
