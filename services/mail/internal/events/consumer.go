package events

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
)

// welcomeLife is how long after the confirmation a welcome is still welcome.
const welcomeLife = 3 * 24 * time.Hour

// Mails takes a mail in the caller's transaction.
type Mails interface {
	EnqueueIn(ctx context.Context, tx pgx.Tx, l letters.Letter) error
}

// UserConfirmed welcomes every member whose address is confirmed.
func UserConfirmed(db *pgxpool.Pool, mails Mails) (bus.Consumer, error) {
	return inbox.Consumer(db, "mail", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserConfirmed]) error {
		uid := event.UID.String()
		l := letters.Letter{
			Key: "welcome:" + uid, UID: uid, To: event.Payload.GetEmail(),
			Template: letters.Welcome, Data: letters.Data{GivenName: event.Payload.GetGivenName()},
			ExpiresAt: event.Time.Add(welcomeLife),
		}
		if err := l.Check(); err != nil {
			return fmt.Errorf("event %s: %w", event.ID, err)
		}
		return mails.EnqueueIn(ctx, tx, l)
	})
}
