package narrate

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Watch counts what is not narrated yet whenever the metrics are asked for. count gives it of one content type.
func Watch(meter metric.Meter, count func(ctx context.Context, contentType string) (Counts, error)) error {
	_, err := meter.Int64ObservableGauge("serein.content.narrations", metric.WithUnit("{narration}"),
		metric.WithDescription("Articles and meditations that have no sound yet, by `state`: `waiting` (one that does not fall: generation "+
			"is away, or nobody narrates), `narrating`, `failed` (the studio and the log name them); every replica counts the same "+
			"ones, each kind to 10,000"),
		metric.WithInt64Callback(func(ctx context.Context, o metric.Int64Observer) error {
			var all Counts
			for _, t := range []string{typeArticle, typeMeditation} {
				c, err := count(ctx, t)
				if err != nil {
					return err
				}
				all = Counts{all.Waiting + c.Waiting, all.Narrating + c.Narrating, all.Failed + c.Failed}
			}
			for state, n := range map[State]int{Waiting: all.Waiting, Narrating: all.Narrating, Failed: all.Failed} {
				o.Observe(int64(n), metric.WithAttributes(attribute.String("state", string(state))))
			}
			return nil
		}))
	return err
}
