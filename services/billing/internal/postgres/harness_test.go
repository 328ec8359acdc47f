package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// harness is one test's own database, clock and store.
type harness struct {
	testkit.DB
	store *store.Store
	now   time.Time
}

var start = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

func setup(tb testing.TB) *harness {
	tb.Helper()
	b := &harness{DB: testkit.Postgres(tb, "billing", store.Migrate), now: start}
	clock := func() time.Time { return b.now }
	// The relay is not running, so the outbox needs no broker.
	out := outbox.New(b.Pool, nil, "billing", testkit.Logger(tb), clock)
	var err error
	b.store, err = store.New(b.Pool, out, clock, uuid.NewV7)
	require.NoError(tb, err)
	return b
}

// grant adds credits; plan credits end after life.
func (b *harness) grant(t require.TestingT, uid uuid.UUID, pool credits.Pool, amount int64, cause string, life time.Duration) bool {
	g := credits.Grant{UID: uid, Pool: pool, Amount: amount, Cause: cause, Description: "A gift"}
	if pool == credits.PlanPool {
		g.ExpiresAt = b.now.Add(life)
	}
	var isNew bool
	err := postgres.InTx(context.Background(), b.Pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		isNew, err = b.store.Grant(ctx, tx, g)
		return err
	})
	require.NoError(t, err)
	return isNew
}

// member makes a member with that many top-up credits.
func (b *harness) member(tb testing.TB, topUps int64) uuid.UUID {
	tb.Helper()
	uid := uuid.Must(uuid.NewV7())
	if topUps > 0 {
		require.True(tb, b.grant(tb, uid, credits.TopUpPool, topUps, "gift:"+uid.String(), 0))
	}
	return uid
}

func (b *harness) balance(t require.TestingT, uid uuid.UUID) credits.Balance {
	account, err := b.store.Account(context.Background(), uid)
	require.NoError(t, err)
	return account.Balance
}

func request(uid uuid.UUID, amount int64, key string) credits.HoldRequest {
	return credits.HoldRequest{
		UID: uid, Amount: amount, Key: key, Reference: "meditation:" + key, TTL: time.Hour,
	}
}
