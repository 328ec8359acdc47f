package mail

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
)

// measure counts mails that end, and looks at those that wait whenever somebody asks for the metrics.
func measure(meter metric.Meter, mails *store.Store) error {
	ended, err := meter.Int64Counter("serein.mail.ended", metric.WithUnit("{mail}"),
		metric.WithDescription("Mails that ended in this process, by `outcome`: `sent`, or not: `expired`, `rejected`, `exhausted`, "+
			"`superseded`, `declined`, `suppressed`"))
	if err != nil {
		return err
	}
	mails.OnEnd(func(ctx context.Context, outcome string) {
		ended.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", outcome)))
	})
	suppressed, err := meter.Int64Counter("serein.mail.suppressed", metric.WithUnit("{address}"),
		metric.WithDescription("Addresses that get no letters from now on, or fewer, by `reason`: `bounce`, `complaint`. Many at once are a "+
			"list of addresses that somebody tries, or letters that nobody wants"))
	if err != nil {
		return err
	}
	mails.OnSuppression(func(ctx context.Context, why letters.Suppression) {
		suppressed.Add(ctx, 1, metric.WithAttributes(attribute.String("reason", string(why))))
	})
	limited, err := meter.Int64Counter("serein.mail.limited", metric.WithUnit("{mail}"),
		metric.WithDescription("Mails beyond a limit, by `limit`: `kind_of_member` are held back or not sent; refused are "+
			"`invitations_of_member`, `invitations` (of all: somebody uses us to write to strangers, or the limit is too low), "+
			"`free_of_sender`, `free`, `contact`"))
	if err != nil {
		return err
	}
	mails.OnLimit(func(ctx context.Context, limit string) {
		limited.Add(ctx, 1, metric.WithAttributes(attribute.String("limit", limit)))
	})
	return measureQueue(meter, mails)
}

// measureQueue looks at what waits.
func measureQueue(meter metric.Meter, mails *store.Store) error {
	queued, err := meter.Int64ObservableGauge("serein.mail.queued", metric.WithUnit("{mail}"), metric.WithDescription("Mails that wait, as the database has them, but for those "+
		"that are held back; every replica shows the same"))
	if err != nil {
		return err
	}
	oldest, err := meter.Float64ObservableGauge("serein.mail.queued.oldest", metric.WithUnit("s"),
		metric.WithDescription("Seconds that the oldest mail has waited: above a minute or so, letters do not get out"))
	if err != nil {
		return err
	}
	_, err = meter.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		n, since, err := mails.Waiting(ctx)
		if err != nil {
			return err
		}
		o.ObserveInt64(queued, n)
		age := 0.0
		if n > 0 {
			age = max(time.Since(since).Seconds(), 0)
		}
		o.ObserveFloat64(oldest, age)
		return nil
	}, queued, oldest)
	return err
}
