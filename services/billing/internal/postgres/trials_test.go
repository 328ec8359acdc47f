package postgres_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
)

func mailbox(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

// trial is what a confirmation does.
func (b *harness) trial(s *store.Store, uid uuid.UUID, mailbox []byte) error {
	return pgx.BeginFunc(context.Background(), b.Pool, func(tx pgx.Tx) error {
		return s.StartTrial(context.Background(), tx, uid, mailbox, uuid.Nil)
	})
}

// active says whether the member has a trial that opens something, with its credits.
func (b *harness) active(t *testing.T, uid uuid.UUID) bool {
	t.Helper()
	account, err := b.store.Account(t.Context(), uid)
	require.NoError(t, err)
	require.NotNil(t, account.Subscription, "a trial of theirs or one that has ended, never one that seems to be on its way")
	active := account.Subscription.EndsAt.After(b.now)
	require.Equal(t, active, account.Balance.PlanAvailable > 0)
	return active
}

func TestAMailboxHasOneTrialUnderAllItsAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, other := b.member(t, 0), b.member(t, 0), b.member(t, 0)
	require.NoError(t, b.trial(b.store, first, mailbox(1)))
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.trial(b.store, second, mailbox(1)))
	require.NoError(t, b.trial(b.store, other, mailbox(2)))
	require.True(t, b.active(t, first))
	require.False(t, b.active(t, second))
	require.True(t, b.active(t, other))
	account, err := b.store.Account(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, start, account.Subscription.StartsAt, "the mailbox's trial, as it began")
	require.Equal(t, b.now, account.Subscription.EndsAt)

	// Told again, nothing changes for anybody.
	b.now = b.now.Add(time.Hour)
	for _, uid := range []uuid.UUID{first, second} {
		require.NoError(t, b.trial(b.store, uid, mailbox(1)))
	}
	require.True(t, b.active(t, first))
	again, err := b.store.Account(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, account, again)
	require.Equal(t, 2, b.count(t, `SELECT count(*) FROM entries`))
}

func TestOfAMailboxsConfirmationsAtOnceOneStartsATrial(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stores := []*store.Store{b.store, replica(t, b)}
	uids := make([]uuid.UUID, 10)
	for i := range uids {
		uids[i] = b.member(t, 0)
	}
	atOnce(len(uids), func(i int) {
		if err := b.trial(stores[i%2], uids[i], mailbox(1)); err != nil {
			t.Errorf("trial: %v", err)
		}
	})
	trials := 0
	for _, uid := range uids {
		if b.active(t, uid) {
			trials++
		}
	}
	require.Equal(t, 1, trials)
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM entries`))
}

func TestATrialThatWasRolledBackLeavesTheMailboxItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	tx, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.store.StartTrial(t.Context(), tx, b.member(t, 0), mailbox(1), uuid.Nil))
	require.NoError(t, tx.Rollback(t.Context()))
	uid := b.member(t, 0)
	require.NoError(t, b.trial(b.store, uid, mailbox(1)))
	require.True(t, b.active(t, uid))
}

func TestAnEventOfBeforeMailboxKeysStillStartsATrial(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 2 {
		uid := b.member(t, 0)
		require.NoError(t, b.trial(b.store, uid, nil))
		require.True(t, b.active(t, uid))
	}
}
