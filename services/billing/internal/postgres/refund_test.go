package postgres_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
)

// spend holds and captures.
func (b *harness) spend(t *testing.T, uid uuid.UUID, amount int64, key string) credits.Hold {
	t.Helper()
	hold, _, err := b.store.Hold(t.Context(), request(uid, amount, key))
	require.NoError(t, err)
	require.NoError(t, b.store.Capture(t.Context(), hold.ID))
	return hold
}

func TestARefundGoesBackToThePoolsThatTheCreditsCameFrom(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 2)
	b.grant(t, uid, credits.PlanPool, 1, "trial:"+uid.String(), 24*time.Hour)
	hold := b.spend(t, uid, 2, "both")
	require.Equal(t, credits.Balance{TopUpAvailable: 1}, b.balance(t, uid))
	for range 3 { // however often it is asked for
		n, err := b.store.Refund(t.Context(), hold.ID)
		require.NoError(t, err)
		require.EqualValues(t, 2, n)
	}
	require.Equal(t, credits.Balance{PlanAvailable: 1, TopUpAvailable: 2}, b.balance(t, uid))
	entries, err := b.store.Entries(t.Context(), uid, credits.Top, 2)
	require.NoError(t, err)
	for i, pool := range []credits.Pool{credits.TopUpPool, credits.PlanPool} {
		require.Equal(t, credits.Refunded, entries[i].Kind)
		require.Equal(t, pool, entries[i].Pool)
		require.EqualValues(t, 1, entries[i].Change)
		require.Equal(t, "meditation:both", entries[i].Reference)
	}
	b.now = b.now.Add(24 * time.Hour)
	require.Equal(t, credits.Balance{TopUpAvailable: 2}, b.balance(t, uid), "what came back to the plan's credits ends with them")
	requireSound(t, b, uid)
}

// The grant that they came from has ended, by its time or by another grant: there is no way back to it.
func TestARefundOfCreditsWhoseGrantHasEndedComesAsTopUps(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *harness, uid uuid.UUID){
		"expired": func(b *harness, _ uuid.UUID) { b.now = b.now.Add(24 * time.Hour) },
		"replaced": func(b *harness, uid uuid.UUID) {
			b.grant(t, uid, credits.PlanPool, 1, "renewal:"+uid.String(), time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			uid := b.member(t, 0)
			b.grant(t, uid, credits.PlanPool, 2, "trial:"+uid.String(), 24*time.Hour)
			hold := b.spend(t, uid, 2, "work")
			end(b, uid)
			before := b.balance(t, uid)
			_, err := b.store.Refund(t.Context(), hold.ID)
			require.NoError(t, err)
			before.TopUpAvailable += 2
			require.Equal(t, before, b.balance(t, uid))
			b.now = b.now.Add(365 * 24 * time.Hour)
			require.Equal(t, credits.Balance{TopUpAvailable: 2}, b.balance(t, uid), "they never end")
			requireSound(t, b, uid)
		})
	}
}

func TestOnlyACapturedHoldIsRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 3)
	open, _, err := b.store.Hold(t.Context(), request(uid, 1, "open"))
	require.NoError(t, err)
	released, _, err := b.store.Hold(t.Context(), request(uid, 1, "released"))
	require.NoError(t, err)
	require.NoError(t, b.store.Release(t.Context(), released.ID))
	for _, hold := range []credits.Hold{open, released} {
		_, err = b.store.Refund(t.Context(), hold.ID)
		require.ErrorIs(t, err, credits.ErrHoldNotCaptured)
	}
	_, err = b.store.Refund(t.Context(), uuid.New())
	require.ErrorIs(t, err, credits.ErrHoldNotFound)
	require.Equal(t, credits.Balance{TopUpAvailable: 2, Held: 1}, b.balance(t, uid))
}

func TestOfManyRefundsAtOnceOneCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 2)
	hold := b.spend(t, uid, 2, "work")
	atOnce(20, func(int) {
		if _, err := b.store.Refund(t.Context(), hold.ID); err != nil {
			t.Error(err)
		}
	})
	require.Equal(t, credits.Balance{TopUpAvailable: 2}, b.balance(t, uid))
	requireSound(t, b, uid)
	refunds := 0
	for _, event := range b.outboxed(t) {
		if event.ProtoReflect().Descriptor().Name() == "CreditsRefunded" {
			refunds++
		}
	}
	require.Equal(t, 1, refunds)
}

// What earlier releases wrote down of a title goes, and a caller of an earlier release writes none.
func TestNoTitleIsKeptWithTheLedger(t *testing.T) {
	t.Parallel()
	const title = "After what my sister said"
	b := setup(t)
	owner := b.owner(t)
	uid := b.member(t, 5)
	hold := func(key string) {
		t.Helper()
		var id string
		require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT hold_id FROM hold_credits(gen_random_uuid(), $1, 1, $2, 'meditation:'||$2, $3,
			$4, $5, ARRAY[gen_random_uuid(), gen_random_uuid()], ARRAY[''::bytea, ''])`, uid, key, title, b.now, b.now.Add(time.Hour)).Scan(&id))
		require.NoError(t, b.store.Capture(t.Context(), uuid.MustParse(id)))
	}
	kept := func() (n int) {
		require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM holds WHERE description <> '')
			+ (SELECT count(*) FROM entries WHERE description = $1)`, title).Scan(&n))
		return n
	}
	hold("first")
	require.Zero(t, kept())

	_, err := owner.Exec(t.Context(), `ALTER TABLE entries DISABLE TRIGGER entries_append_only;
		UPDATE holds SET description = '`+title+`'; UPDATE entries SET description = '`+title+`' WHERE cause LIKE 'hold:%';
		ALTER TABLE entries ENABLE TRIGGER entries_append_only; DROP FUNCTION refund_hold`)
	require.NoError(t, err)
	require.Equal(t, 2, kept(), "as an earlier release left it")
	migration, err := os.ReadFile("migrations/00006_refunds.sql")
	require.NoError(t, err)
	up, _, _ := strings.Cut(string(migration), "-- +goose Down")
	_, err = owner.Exec(t.Context(), up)
	require.NoError(t, err)
	require.Zero(t, kept())

	entries, err := b.store.Entries(t.Context(), uid, credits.Top, 100)
	require.NoError(t, err)
	require.Equal(t, "meditation:first", entries[0].Reference)
	require.Equal(t, "A gift", entries[1].Description, "what a grant is for stays")
	_, err = owner.Exec(t.Context(), `UPDATE entries SET description = ''`)
	requireState(t, err, insufficientPrivilege, "the ledger is append-only again")
	requireSound(t, b, uid)
}
