package postgres_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfMails is a year of mails that were sent, and a few that wait.
var yearOfMails = []string{
	`INSERT INTO mails (id, idempotency_key, uid, recipient, template, state, created_at, expires_at, ended_at)
		SELECT md5('mail' || n)::uuid, 'mail' || n, 'u' || n, n || '@example.org', CASE n % 3 WHEN 0 THEN 'contact' ELSE 'welcome' END, 'sent', at, at + interval '3 days', at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at)
		SELECT md5('queued' || n)::uuid, 'queued' || n, 'u' || n, n || '@example.org', 'welcome', '{}', now(), now() + interval '3 days' FROM generate_series(1, 20) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "mail", store.Migrate, yearOfMails...)
	now := time.Now()
	y.CheckQueries("sqlcgen", year.Values{
		"id": year.ID("queued1"), "now": now, "state": "sent", "reason": "", "idempotencykey": "mail1",
		"Insert.id": uuid.New(), "Insert.idempotencykey": "new", "uid": "u", "recipient": "amara@example.org", "template": "welcome", "data": "{}",
		"createdat": now, "expiresat": now.Add(time.Hour), "idlesince": now, "since": now.Add(-time.Hour), "but": 0, "most": 200,
	})
	y.CheckRetention(store.Retention())
}
