package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// metrics are what the store measures; see the README. A nil one measures nothing.
type metrics struct {
	credits, lockWaits metric.Int64Counter
	batchSize          metric.Int64Histogram
}

// What became of credits, the values of the attribute "change".
const (
	granted  = "granted"
	spent    = "spent"
	refunded = "refunded"
	expired  = "expired"
	reversed = "reversed"
)

// Measure begins to measure. It is called before anything else is asked of the store.
func (s *Store) Measure(meter metric.Meter) (err error) {
	m := &metrics{}
	if m.credits, err = meter.Int64Counter("serein.billing.credits", metric.WithUnit("{credit}"),
		metric.WithDescription("Credits that moved through this process, by `change`: `granted`, `spent`, `refunded`, `reversed` (their "+
			"money went back), `expired` (by time; those that another grant replaced are not counted)")); err != nil {
		return err
	}
	if m.lockWaits, err = meter.Int64Counter("serein.billing.lock.waits", metric.WithUnit("{wait}"),
		metric.WithDescription("Batches that did not get a member's row in time: an operator's session or a stuck transaction has locked it")); err != nil {
		return err
	}
	if m.batchSize, err = meter.Int64Histogram("serein.billing.batch.size", metric.WithUnit("{call}"),
		metric.WithDescription("Calls that went to the database together: mostly 1, unless it is busy"),
		metric.WithExplicitBucketBoundaries(1, 2, 4, 8, 16, 32, 64)); err != nil {
		return err
	}
	s.metrics, s.calls.metrics = m, m
	return errors.Join(s.measureHolds(meter), s.measureSales(meter), s.measurePlans(meter))
}

// measureSales reads what cannot be bought, and the orders that wait, whenever somebody asks for the metrics.
func (s *Store) measureSales(meter metric.Meter) error {
	mismatched, err := meter.Int64ObservableGauge("serein.billing.prices.mismatched", metric.WithUnit("{price}"),
		metric.WithDescription("Items of the catalogue that cannot be bought, because the provider's price differs or has not been read; if "+
			"it is above 0 for more than minutes, run `billing prices`"))
	if err != nil {
		return err
	}
	waiting, err := meter.Int64ObservableGauge("serein.billing.orders.waiting", metric.WithUnit("{order}"),
		metric.WithDescription("Orders that wait for the provider"))
	if err != nil {
		return err
	}
	oldest, err := meter.Float64ObservableGauge("serein.billing.orders.waiting.oldest", metric.WithUnit("s"),
		metric.WithDescription("Age of the oldest waiting order in seconds; above two hours something is not read back"))
	if err != nil {
		return err
	}
	_, err = meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		n, err := s.queries.CountMismatched(ctx, s.db)
		if err != nil {
			return postgres.Translate(err, nil)
		}
		o.ObserveInt64(mismatched, n)
		row, err := s.queries.WaitingOrders(ctx, s.db)
		if err != nil {
			return postgres.Translate(err, nil)
		}
		o.ObserveInt64(waiting, row.Waiting)
		age := 0.0
		if row.Waiting > 0 {
			age = max(s.now().Sub(row.Oldest).Seconds(), 0)
		}
		o.ObserveFloat64(oldest, age)
		return nil
	}, mismatched, waiting, oldest)
	return err
}

// measurePlans reads, at each collection of the metrics, how long the most overdue plan has waited for the sweep.
func (s *Store) measurePlans(meter metric.Meter) error {
	overdue, err := meter.Float64ObservableGauge("serein.billing.subscriptions.overdue", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the plan which has waited longest is overdue: above half an hour, renewals, notices and ends "+
			"do not get done"))
	if err != nil {
		return err
	}
	_, err = meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		now := s.now()
		due, err := s.queries.OldestDueSubscription(ctx, s.db, now)
		if err != nil {
			return postgres.Translate(err, nil)
		}
		o.ObserveFloat64(overdue, max(now.Sub(due).Seconds(), 0))
		return nil
	}, overdue)
	return err
}

// measureHolds reads the open holds whenever somebody asks for the metrics.
func (s *Store) measureHolds(meter metric.Meter) error {
	open, err := meter.Int64ObservableGauge("serein.billing.holds.open", metric.WithUnit("{hold}"),
		metric.WithDescription("Holds that have not ended, as the database has them; every replica shows the same"))
	if err != nil {
		return err
	}
	oldest, err := meter.Float64ObservableGauge("serein.billing.holds.oldest", metric.WithUnit("s"),
		metric.WithDescription("Age of the oldest open hold in seconds: above half an hour, generation does not end what it began"))
	if err != nil {
		return err
	}
	_, err = meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		row, err := s.queries.OpenHolds(ctx, s.db)
		if err != nil {
			return postgres.Translate(err, nil)
		}
		o.ObserveInt64(open, row.Open)
		age := 0.0
		if row.Open > 0 {
			age = max(s.now().Sub(row.Oldest).Seconds(), 0)
		}
		o.ObserveFloat64(oldest, age)
		return nil
	}, open, oldest)
	return err
}

func (m *metrics) moved(ctx context.Context, change string, n int64) {
	if m != nil && n > 0 {
		m.credits.Add(ctx, n, metric.WithAttributes(attribute.String("change", change)))
	}
}

func (m *metrics) lockWait(ctx context.Context) {
	if m != nil {
		m.lockWaits.Add(ctx, 1)
	}
}

func (m *metrics) batch(ctx context.Context, calls int) {
	if m != nil {
		m.batchSize.Record(ctx, int64(calls))
	}
}

// countExpired counts the credits that a change lets expire. Only the database learns how many those are: they are
// the member's entries behind the last one from before.
func (s *Store) countExpired(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, change func() (bool, error)) (bool, error) {
	if s.metrics == nil {
		return change()
	}
	before, err := s.queries.EntryCount(ctx, db, uid)
	if err != nil {
		return false, err
	}
	done, err := change()
	if err != nil || !done {
		return done, err
	}
	n, err := s.queries.ExpiredSince(ctx, db, sqlcgen.ExpiredSinceParams{Uid: uid, Position: before})
	s.metrics.moved(ctx, expired, n)
	return done, err
}
