package postgres_test

import (
	"crypto/sha256"
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
	`INSERT INTO members (uid, email, given_name) SELECT md5('member' || n)::uuid, n || '@example.org', 'Amara' FROM generate_series(1, $1::int) n`,
	`INSERT INTO departed (member, departed_at)
		SELECT sha256(n::text::bytea), now() - interval '95 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "mail", store.Migrate, yearOfMails...)
	now, sum := time.Now(), sha256.Sum256([]byte("1"))
	y.CheckQueries("sqlcgen", year.Values{
		"id": year.ID("queued1"), "now": now, "state": "sent", "reason": "", "idempotencykey": "mail1",
		"Insert.id": uuid.New(), "Insert.idempotencykey": "new", "uid": "u", "recipient": "amara@example.org", "template": "welcome", "data": "{}",
		"Member.uid": year.ID("member1"), "Forget.uid": year.ID("member1"), "Remember.uid": uuid.New(), "email": "amara@example.org",
		"givenname": "Amara", "member": sum[:], "at": now,
		"createdat": now, "expiresat": now.Add(time.Hour), "idlesince": now, "since": now.Add(-time.Hour), "but": 0, "most": 200,
	})
	y.CheckRetention(store.Retention())
}
