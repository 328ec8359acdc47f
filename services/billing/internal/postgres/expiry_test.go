package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
)

// Credits that expire at a moment have expired at that very moment, in whichever call comes first.
func TestAtTheMomentThatPlanCreditsExpireTheyAreGone(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]func(b *harness, r credits.HoldRequest) error{
		"the account is read": func(b *harness, r credits.HoldRequest) error {
			account, err := b.store.Account(t.Context(), r.UID)
			require.Zero(t, account.Balance)
			return err
		},
		"credits are held": func(b *harness, r credits.HoldRequest) error {
			_, _, err := b.store.Hold(t.Context(), r)
			require.ErrorIs(t, err, credits.ErrInsufficient)
			return nil
		},
		"the ledger is read": func(b *harness, r credits.HoldRequest) error {
			entries, err := b.store.Entries(t.Context(), r.UID, credits.Top, 100)
			require.Equal(t, credits.Expired, entries[0].Kind)
			require.Equal(t, start.Add(24*time.Hour), entries[0].At)
			return err
		},
		"another plan is granted": func(b *harness, r credits.HoldRequest) error {
			b.grant(t, r.UID, credits.PlanPool, 1, "another:"+r.UID.String(), time.Hour)
			entries, err := b.store.Entries(t.Context(), r.UID, credits.Top, 100)
			require.Equal(t, start.Add(24*time.Hour), entries[1].At)
			require.Equal(t, credits.Expired, entries[1].Kind)
			return err
		},
	} {
		b := setup(t)
		uid := b.member(t, 0)
		b.grant(t, uid, credits.PlanPool, 8, "trial:"+uid.String(), 24*time.Hour)
		b.now = start.Add(24*time.Hour - time.Microsecond)
		require.EqualValues(t, 8, b.balance(t, uid).PlanAvailable, name)
		b.now = start.Add(24 * time.Hour)
		require.NoError(t, first(b, request(uid, 1, "work")), name)
		requireSound(t, b, uid)
	}
}

// A service that keeps a copy of an account reads it again at ChangesAt, since no event says that time has changed it.
func TestAnAccountSaysWhenTimeAloneChangesIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 1)
	changes := func() time.Time {
		t.Helper()
		account, err := b.store.Account(t.Context(), uid)
		require.NoError(t, err)
		return account.ChangesAt
	}
	require.Zero(t, changes(), "bought credits never end")
	b.grant(t, uid, credits.PlanPool, 8, "trial:"+uid.String(), 24*time.Hour)
	require.Equal(t, start.Add(24*time.Hour), changes())
	hold, _, err := b.store.Hold(t.Context(), request(uid, 1, "work"))
	require.NoError(t, err)
	require.Equal(t, hold.ExpiresAt, changes(), "the hold runs out first")
	require.True(t, hold.ExpiresAt.Before(start.Add(24*time.Hour)))
	b.now = hold.ExpiresAt
	require.Equal(t, start.Add(24*time.Hour), changes())
	b.now = start.Add(24 * time.Hour)
	require.Zero(t, changes())
}

func TestAtTheMomentThatAHoldRunsOutItCanNoLongerBeSpent(t *testing.T) {
	t.Parallel()
	for _, early := range []time.Duration{time.Microsecond, 0} {
		b := setup(t)
		uid := b.member(t, 1)
		hold, _, err := b.store.Hold(t.Context(), request(uid, 1, "work"))
		require.NoError(t, err)
		b.now = hold.ExpiresAt.Add(-early)
		err = b.store.Capture(t.Context(), hold.ID)
		if early > 0 {
			require.NoError(t, err)
			require.Zero(t, b.balance(t, uid))
			continue
		}
		require.ErrorIs(t, err, credits.ErrHoldExpired)
		require.Equal(t, credits.Balance{TopUpAvailable: 1}, b.balance(t, uid))
	}
}

func TestAMemberReadsWhatBecameOfEachCredit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 2)
	b.grant(t, uid, credits.PlanPool, 3, "trial:"+uid.String(), 24*time.Hour)
	hold, _, err := b.store.Hold(t.Context(), request(uid, 1, "from the plan"))
	require.NoError(t, err)
	require.NoError(t, b.store.Capture(t.Context(), hold.ID))
	b.now = start.Add(48 * time.Hour)
	hold, _, err = b.store.Hold(t.Context(), request(uid, 1, "from the top-up"))
	require.NoError(t, err)
	require.NoError(t, b.store.Capture(t.Context(), hold.ID))
	entries, err := b.store.Entries(t.Context(), uid, credits.Top, 100)
	require.NoError(t, err)
	type line struct {
		kind            credits.Kind
		pool            credits.Pool
		change, balance int64
	}
	var lines []line
	for _, e := range entries {
		lines = append(lines, line{e.Kind, e.Pool, e.Change, e.BalanceAfter})
	}
	require.Equal(t, []line{
		{credits.Spent, credits.TopUpPool, -1, 1},
		{credits.Expired, credits.PlanPool, -2, 2},
		{credits.Spent, credits.PlanPool, -1, 4},
		{credits.Granted, credits.PlanPool, 3, 5},
		{credits.Granted, credits.TopUpPool, 2, 2},
	}, lines)
}
