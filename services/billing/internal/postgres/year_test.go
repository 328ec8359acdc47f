package postgres_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfCredits is a tenth as many members as holds, each with ten holds that were spent; a few holds are
// open or due, and the hot member has both, and thirty entries.
var yearOfCredits = []string{
	`INSERT INTO subscriptions SELECT md5('m' || n)::uuid, 'free-trial', now() - interval '300 days', now() - interval '293 days' FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO trials (mailbox_key, started_at) SELECT sha256(('m' || n)::bytea), now() - interval '300 days' FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO balances (uid, top_up_available, entry_count, changed_at) SELECT md5('m' || n)::uuid, 5, 10, now() FROM generate_series(1, $1::int / 10) n`,
	`INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT md5('m' || n % ($1::int / 10))::uuid, n / ($1::int / 10) + 1, 'hold:' || md5('h' || n)::uuid, 'top_up', 'spent', 1, 5,
			now() - interval '365 days' * (1 - n / $1::float8), '', 'meditation:' || md5('h' || n)::uuid
		FROM generate_series(0, $1::int - 1) n`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, state, created_at, expires_at, ended_at)
		SELECT md5('h' || n)::uuid, md5('m' || n % ($1::int / 10))::uuid, md5('h' || n), 0, 1, 'meditation:' || n, '', 'captured', at, at + interval '30 minutes', at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, created_at, expires_at)
		SELECT md5('open' || n)::uuid, md5('m' || n)::uuid, 'open' || n, 0, 1, '', '', now() - interval '1 hour', now() + interval '1 minute' * (n - 10)
		FROM generate_series(1, 50) n`,
	`INSERT INTO balances (uid, top_up_available, top_up_held, entry_count, changed_at) VALUES (md5('hot')::uuid, 40, 2, 30, now())`,
	`INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT md5('hot')::uuid, n, 'gift:' || n, 'issued', 'top_up', 1, n, now(), '', '' FROM generate_series(1, 30) n`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, created_at, expires_at)
		VALUES (md5('hot')::uuid, md5('hot')::uuid, 'hot', 0, 1, '', '', now(), now() + interval '30 minutes')`,
	`INSERT INTO holds (id, uid, idempotency_key, plan_credits, top_up_credits, reference, description, state, created_at, expires_at, ended_at)
		VALUES (md5('spent')::uuid, md5('hot')::uuid, 'spent', 0, 1, '', '', 'captured', now(), now() + interval '30 minutes', now())`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "billing", store.Migrate, yearOfCredits...)
	uid, now := year.ID("hot"), time.Now()
	y.CheckQueries("sqlcgen", year.Values{
		"uid": uid, "id": uid, "now": now, "most": 200, "below": 1000, "position": 1000,
		"afterat": time.Time{}, "afteruid": uuid.Nil,
		"Subscribe.uid": uuid.New(), "planid": "free-trial", "startsat": now, "endsat": now.Add(time.Hour),
		"mailboxkey": bytes.Repeat([]byte{1}, 32), "startedat": now,
	})
	y.CheckRetention(store.Retention())
	event, payload := uuid.New(), []byte("payload")
	hold := func(name string) func(sql string) {
		return func(sql string) {
			y.Check(name, sql, uuid.New(), uid, 1, "new key", "r", "", now, now.Add(time.Minute), []uuid.UUID{event, uuid.New()}, [][]byte{payload, payload})
		}
	}
	functions := map[string]func(sql string){
		"hold_credits":       hold("hold_credits"),
		"hold_and_balance":   hold("hold_and_balance"),
		"capture_hold":       func(sql string) { y.Check("capture_hold", sql, uid, uid, now, event, payload) },
		"release_hold":       func(sql string) { y.Check("release_hold", sql, uid, uid, now, event, payload) },
		"refund_hold":        func(sql string) { y.Check("refund_hold", sql, year.ID("spent"), uid, now, event, payload) },
		"settle_credits":     func(sql string) { y.Check("settle_credits", sql, uid, now, []uuid.UUID{}, []uuid.UUID{}, [][]byte{}) },
		"remove_ended_holds": func(sql string) { y.Check("remove_ended_holds", sql, now, 200) },
		"grant_credits": func(sql string) {
			y.Check("grant_credits", sql, uid, "plan", 5, "a new cause", now.Add(time.Hour), "", "", now)
		},
	}
	for name, arguments := range callable(t, y.Databases()[0].OwnerURL) {
		require.Contains(t, functions, name, "a function that the service may call has its check")
		functions[name]("SELECT * FROM " + name + "(" + arguments + ")")
	}
}

// callable are the functions that work with their owner's rights, with the places of their arguments.
func callable(t *testing.T, url string) map[string]string {
	t.Helper()
	owner, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = owner.Close(t.Context()) }()
	rows, err := owner.Query(t.Context(), `SELECT proname::text, (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, pronargs) n)
		FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`)
	require.NoError(t, err)
	found := map[string]string{}
	var name, arguments string
	_, err = pgx.ForEachRow(rows, []any{&name, &arguments}, func() error { found[name] = arguments; return nil })
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}
