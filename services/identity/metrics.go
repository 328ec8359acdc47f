package identity

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/metric"

	"serein.app/services/identity/internal/postgres"
)

// measureTime bounds one measurement.
const measureTime = time.Second

// measureDeletions shows how long the oldest deletion is under way.
func measureDeletions(meter metric.Meter, store *postgres.Store, now func() time.Time) error {
	_, err := meter.Float64ObservableGauge("serein.identity.deletions.oldest_age", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the oldest deletion of an account has been under way; minutes are usual, a day needs somebody"),
		metric.WithFloat64Callback(func(ctx context.Context, o metric.Float64Observer) error {
			ctx, cancel := context.WithTimeout(ctx, measureTime)
			defer cancel()
			since, err := store.OldestDeletion(ctx)
			if err != nil {
				return err
			}
			if since.Unix() <= 0 {
				o.Observe(0)
			} else {
				o.Observe(now().Sub(since).Seconds())
			}
			return nil
		}))
	return err
}
