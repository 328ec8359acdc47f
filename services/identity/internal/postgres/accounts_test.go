package postgres_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
)

func TestASignUpIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	require.NoError(t, h.Register(t.Context(), registration("amara", "amara@example.org")))
	require.Equal(t, 1, h.jobs.enqueued)
	twin := registration("amara", "other@example.org")
	require.ErrorIs(t, h.Register(t.Context(), twin), account.ErrUsernameExists)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM codes`))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM outbox`), "what was refused says nothing")
	require.Equal(t, 1, h.jobs.enqueued)
}

func TestALapsedSignUpFreesItsUsernameAtItsEnd(t *testing.T) {
	t.Parallel()
	h := setup(t)
	first := registration("amara", "amara@example.org")
	require.NoError(t, h.Register(t.Context(), first))
	before, at := registration("amara", "b@example.org"), registration("amara", "c@example.org")
	before.At, at.At = first.LapsesAt.Add(-time.Microsecond), first.LapsesAt
	at.LapsesAt = at.At.Add(account.UnconfirmedLife)
	require.ErrorIs(t, h.Register(t.Context(), before), account.ErrUsernameExists)
	require.NoError(t, h.Register(t.Context(), at))
	_, err := h.Pending(t.Context(), first.UID, now)
	require.ErrorIs(t, err, account.ErrUserNotFound)
}

func TestOneAddressIsOneConfirmedAccountsHoweverManyConfirmAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	names := []string{"one", "two", "three", "four"}
	for _, name := range names {
		r := registration(name, "amara@example.org")
		require.NoError(t, h.Register(t.Context(), r))
	}
	var confirmed atomic.Int32
	var group sync.WaitGroup
	for _, name := range names {
		group.Go(func() {
			if h.Confirm(t.Context(), name, now, noKey, anyCode) == nil {
				confirmed.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, confirmed.Load())
	require.Equal(t, 1, h.count(`SELECT count(*) FROM accounts WHERE confirmed_at IS NOT NULL`))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM outbox WHERE subject LIKE '%confirmed%'`))
}

func TestAWrongTryCountsAlthoughItIsRefused(t *testing.T) {
	t.Parallel()
	h := setup(t)
	require.NoError(t, h.Register(t.Context(), registration("amara", "amara@example.org")))
	refuse := func(account.Code) error { return account.ErrCodeMismatch }
	for range account.CodeTries + 2 {
		require.ErrorIs(t, h.Confirm(t.Context(), "amara", now, noKey, refuse), account.ErrCodeMismatch)
	}
	require.Equal(t, account.CodeTries, h.count(`SELECT tries FROM codes`), "and no further than its bound")
	broken := errors.New("broken")
	require.ErrorIs(t, h.Confirm(t.Context(), "amara", now, noKey, func(account.Code) error { return broken }), broken)
	require.ErrorIs(t, h.Confirm(t.Context(), "nobody", now, noKey, anyCode), account.ErrUserNotFound)
}

func TestAResentCodeReplacesTheOldAndKeepsTheNameNoLonger(t *testing.T) {
	t.Parallel()
	h := setup(t)
	r := registration("amara", "amara@example.org")
	require.NoError(t, h.Register(t.Context(), r))
	later := now.Add(20 * time.Hour)
	fresh := account.Code{ID: newID(), Kind: account.CodeConfirmation, Hash: []byte("fresh"), ExpiresAt: later.Add(account.CodeLife)}
	require.NoError(t, h.Resend(t.Context(), "amara", fresh, later))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM codes WHERE replaced_at IS NULL`))
	_, err := h.Pending(t.Context(), r.UID, r.LapsesAt.Add(-time.Microsecond))
	require.NoError(t, err)
	_, err = h.Pending(t.Context(), r.UID, r.LapsesAt)
	require.ErrorIs(t, err, account.ErrUserNotFound)
	require.ErrorIs(t, h.Resend(t.Context(), "nobody", fresh, later), account.ErrUserNotFound)
	h.member("nils")
	require.ErrorIs(t, h.Resend(t.Context(), "nils", fresh, later), account.ErrUserNotFound, "the confirmed get no more codes")
}

func TestASignUpWithoutALetterHasNoCode(t *testing.T) {
	t.Parallel()
	h := setup(t)
	r := registration("amara", "amara@example.org")
	r.Code = nil
	require.NoError(t, h.Register(t.Context(), r))
	require.Zero(t, h.count(`SELECT count(*) FROM codes`))
	require.Zero(t, h.jobs.enqueued)
	require.ErrorIs(t, h.Confirm(t.Context(), "amara", now, noKey, anyCode), account.ErrUserNotFound)
}

func TestAccountsAreFoundByWhatTheyMayBeFoundBy(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	waiting := registration("waiting", "waiting@example.org")
	require.NoError(t, h.Register(t.Context(), waiting))
	newest := registration("newest", "waiting@example.org")
	newest.At = now.Add(time.Minute)
	require.NoError(t, h.Register(t.Context(), newest))

	a, err := h.ByUID(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, "amara", a.Username)
	_, err = h.ByUID(t.Context(), waiting.UID)
	require.ErrorIs(t, err, account.ErrUserNotFound, "a uid is a confirmed account's")
	a, err = h.ByEmail(t.Context(), "waiting@example.org", now)
	require.NoError(t, err)
	require.Equal(t, "newest", a.Username)
	_, err = h.ByUsername(t.Context(), "waiting", waiting.LapsesAt)
	require.ErrorIs(t, err, account.ErrUserNotFound, "what has lapsed is not there, cleaned up or not")
	_, err = h.ByEmail(t.Context(), "nobody@example.org", now)
	require.ErrorIs(t, err, account.ErrUserNotFound)
}

func TestASignUpReplacesAnUnconfirmedOneAndNeverAConfirmedOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	first := registration("amara", "amraa@example.org")
	require.NoError(t, h.Register(t.Context(), first))
	second := registration("amara", "amara@example.org")
	second.Replaces = &first.UID
	require.NoError(t, h.Register(t.Context(), second))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM accounts`))
	require.NoError(t, h.Confirm(t.Context(), "amara", now, noKey, anyCode))
	third := registration("amara", "third@example.org")
	third.Replaces = &second.UID
	require.ErrorIs(t, h.Register(t.Context(), third), account.ErrUsernameExists, "it was confirmed meanwhile")
	_, err := h.ByUID(t.Context(), second.UID)
	require.NoError(t, err)
}

func TestAHashIsReplacedOnlyWhereItIsStillTheOneThatWasChecked(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	require.NoError(t, h.Rehash(t.Context(), uid, "another", "fresh"))
	a, err := h.ByUID(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, "hash", a.PasswordHash)
	require.NoError(t, h.Rehash(t.Context(), uid, "hash", "fresh"))
	a, err = h.ByUID(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, "fresh", a.PasswordHash)
}

func TestALetterKnowsWhoIsWrittenTo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	waiting := registration("waiting", "waiting@example.org")
	require.NoError(t, h.Register(t.Context(), waiting))
	l, err := h.Letter(t.Context(), waiting.Code.ID)
	require.NoError(t, err)
	require.Equal(t, waiting.UID, l.Account.UID)
	require.Equal(t, waiting.Code.ID, l.Code.ID)
	require.False(t, l.Reserved)

	owner := h.member("amara")
	other := registration("other", "amara@example.org")
	require.NoError(t, h.Register(t.Context(), other))
	l, err = h.Letter(t.Context(), other.Code.ID)
	require.NoError(t, err)
	require.True(t, l.Reserved)
	require.Equal(t, owner, l.Owner.UID)

	_, err = h.db.Pool.Exec(t.Context(), `DELETE FROM accounts WHERE uid = $1`, owner)
	require.NoError(t, err)
	_, err = h.Letter(t.Context(), other.Code.ID)
	require.ErrorIs(t, err, account.ErrUserNotFound, "an owner who has gone is not written to")
	_, err = h.Letter(t.Context(), newID())
	require.ErrorIs(t, err, account.ErrUserNotFound)
}
