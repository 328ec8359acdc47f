package identity_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/identity"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// The versions of what was shown: of the terms with the privacy policy, and of every other text.
const (
	shownTexts = "terms 2026-10-01, privacy 2026-11-01"
	shown      = "2026-11-01"
)

func answer(kind account.ConsentKind, given bool) account.ConsentAnswer {
	return account.ConsentAnswer{Kind: kind, Given: given, Version: versions(kind)[0]}
}

// versions that a kind may have, the shown one first.
func versions(kind account.ConsentKind) []string {
	if kind == account.ConsentTerms || kind == account.ConsentAge16 {
		return []string{shownTexts, "terms 2026-10-01, privacy 2026-10-01"}
	}
	return []string{shown, "2026-10-01"}
}

// record records and gives what stands, without times.
func (b *harness) record(uid uuid.UUID, answers ...account.ConsentAnswer) ([]account.ConsentAnswer, error) {
	after, err := b.accounts.RecordConsents(b.t.Context(), uid.String(), answers)
	return bare(after), err
}

func bare(consents []account.Consent) []account.ConsentAnswer {
	answers := make([]account.ConsentAnswer, len(consents))
	for i, c := range consents {
		answers[i] = c.ConsentAnswer
	}
	return answers
}

func (b *harness) consentRows(uid uuid.UUID) int {
	return b.count(`SELECT count(*) FROM consents WHERE uid = $1`, uid)
}

func (b *harness) consentEvents() int {
	return len(b.outbox("serein.identity.consents.changed.v1"))
}

func TestSigningUpGivesTheAgeAndTheTermsThatWereShownAndNothingElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	consents, err := b.accounts.Consents(t.Context(), a.UID.String())
	require.NoError(t, err)
	require.Equal(t, []account.ConsentAnswer{answer(account.ConsentAge16, true), answer(account.ConsentTerms, true)}, bare(consents))
	require.WithinDuration(t, b.clock.Now(), consents[0].At, time.Second)
}

func TestWhatWasAnsweredLastStandsAndEveryAnswerIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(r *rapid.T) {
		uid := b.insertMember(r)
		model := map[account.ConsentKind]account.ConsentAnswer{}
		rows := 0
		for range rapid.IntRange(1, 12).Draw(r, "calls") {
			b.clock.Advance(time.Duration(rapid.IntRange(-60, 3*3600).Draw(r, "seconds")) * time.Second)
			answers := rapid.SliceOfNDistinct(rapid.Custom(func(r *rapid.T) account.ConsentAnswer {
				kind := rapid.SampledFrom(account.ConsentKinds).Draw(r, "kind")
				return account.ConsentAnswer{
					Kind: kind, Given: rapid.Bool().Draw(r, "given"), Version: rapid.SampledFrom(versions(kind)).Draw(r, "version"),
				}
			}), 1, 5, func(a account.ConsentAnswer) account.ConsentKind { return a.Kind }).Draw(r, "answers")
			after, err := b.record(uid, answers...)
			kept := b.consentRows(uid)
			if err != nil {
				refused := errors.Is(err, account.ErrConsentRequired) || errors.Is(err, account.ErrConsentsTooMany)
				require.True(r, refused, err)
				require.Equal(r, rows, kept, "a refused call records nothing")
				continue
			}
			changed := 0
			for _, a := range answers {
				if model[a.Kind] != a {
					changed++
				}
				model[a.Kind] = a
			}
			require.Equal(r, rows+changed, kept, "one row for each change, and none goes")
			rows = kept
			want := make([]account.ConsentAnswer, 0, len(model))
			for _, a := range model {
				want = append(want, a)
			}
			require.ElementsMatch(r, want, after)
		}
	})
}

func TestConsents(t *testing.T) {
	t.Parallel()

	t.Run("withdrawing is a new row, and one event says what changed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		_, err := b.record(uid, answer(account.ConsentAnalytics, true), answer(account.ConsentEssentials, true))
		require.NoError(t, err)
		after, err := b.record(uid, answer(account.ConsentAnalytics, false), answer(account.ConsentEssentials, true))
		require.NoError(t, err)
		require.Equal(t, []account.ConsentAnswer{answer(account.ConsentAnalytics, false), answer(account.ConsentEssentials, true)}, after)
		require.Equal(t, 3, b.consentRows(uid))
		events := b.outbox("serein.identity.consents.changed.v1")
		require.Len(t, events, 2)
		var event eventsv1.ConsentsChanged
		require.NoError(t, events[1].UnmarshalTo(&event))
		require.Equal(t, uid.String(), event.GetUid())
		require.Len(t, event.GetConsents(), 1, "what stood already is not said again")
		require.Equal(t, "analytics", event.GetConsents()[0].GetKind())
		require.False(t, event.GetConsents()[0].GetGiven())
		require.Equal(t, shown, event.GetConsents()[0].GetVersion())
	})

	t.Run("the same again adds neither row nor event", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		for range 3 {
			_, err := b.record(uid, answer(account.ConsentMarketing, true))
			require.NoError(t, err)
		}
		require.Equal(t, 1, b.consentRows(uid))
		require.Equal(t, 1, b.consentEvents())
	})

	t.Run("the age cannot be withdrawn, nor anything in the same call recorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		_, err := b.record(uid, answer(account.ConsentMarketing, true), answer(account.ConsentAge16, false))
		require.ErrorIs(t, err, account.ErrConsentRequired)
		require.Zero(t, b.consentRows(uid))
		_, err = b.db.Pool.Exec(t.Context(), `INSERT INTO consents (uid, kind, given, version, given_at) VALUES ($1, 'age_16', false, '1', now())`, uid)
		require.ErrorContains(t, err, "consents_age_stays", "the database agrees")
	})

	t.Run("a version is a day of the calendar, and that of the terms names both texts' days", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		refuse := func(version string, kinds ...account.ConsentKind) {
			for _, kind := range kinds {
				_, err := b.record(uid, account.ConsentAnswer{Kind: kind, Given: true, Version: version})
				require.ErrorIs(t, err, account.ErrConsents, "%s %q", kind, version)
			}
		}
		both := []account.ConsentKind{account.ConsentTerms, account.ConsentAge16}
		others := []account.ConsentKind{account.ConsentEssentials, account.ConsentAnalytics, account.ConsentMarketing}
		for _, day := range []string{"", "1", "2026-11", "2026-02-30", "2026-13-01", "26-11-01", "2026-11-01 ", "2026-11-01\n", "٢٠٢٦-١١-٠١"} {
			refuse(day, account.ConsentKinds...)
			refuse("terms "+day+", privacy 2026-11-01", both...)
			refuse("terms 2026-11-01, privacy "+day, both...)
		}
		refuse("2026-11-01", both...)
		refuse("terms 2026-11-01", both...)
		refuse("privacy 2026-11-01, terms 2026-11-01", both...)
		refuse(" "+shownTexts, both...)
		refuse(shownTexts+", marketing 2026-11-01", both...)
		refuse(account.VersionUnknown, account.ConsentKinds...)
		refuse(shownTexts, others...)
		require.Zero(t, b.consentRows(uid))
	})

	t.Run("a kind is answered once a call, and is one of the five", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		_, err := b.record(uid, answer(account.ConsentTerms, true), answer(account.ConsentTerms, false))
		require.ErrorIs(t, err, account.ErrConsents)
		_, err = b.record(uid, answer("cookies", true))
		require.ErrorIs(t, err, account.ErrConsents)
		_, err = b.record(uid, answer("", true))
		require.ErrorIs(t, err, account.ErrConsents)
		require.Zero(t, b.consentRows(uid))
	})

	t.Run("without a confirmed account nothing is recorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		waiting, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
		require.NoError(t, err)
		for _, uid := range []string{waiting.Subject, newID().String(), "", "x"} {
			_, err := b.accounts.RecordConsents(t.Context(), uid, []account.ConsentAnswer{answer(account.ConsentTerms, true)})
			require.ErrorIs(t, err, account.ErrUserNotFound)
		}
		_, err = b.accounts.Consents(t.Context(), "x")
		require.ErrorIs(t, err, account.ErrUserNotFound)
	})

	t.Run("nobody fills the table, and withdrawing is never refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		var err error
		for i := 0; err == nil; i++ {
			require.LessOrEqual(t, i, account.ConsentsPerDay)
			_, err = b.record(uid, account.ConsentAnswer{
				Kind: account.ConsentMarketing, Given: true, Version: versions(account.ConsentMarketing)[(i+1)%2],
			})
		}
		require.ErrorIs(t, err, account.ErrConsentsTooMany)
		require.Equal(t, account.ConsentsPerDay, b.consentRows(uid))
		_, err = b.record(uid, answer(account.ConsentMarketing, false))
		require.NoError(t, err)
		_, err = b.record(uid, account.ConsentAnswer{Kind: account.ConsentMarketing, Given: false, Version: "2026-10-01"})
		require.ErrorIs(t, err, account.ErrConsentsTooMany, "refusing once more is no withdrawal")
		_, err = b.record(uid, answer(account.ConsentMarketing, true))
		require.ErrorIs(t, err, account.ErrConsentsTooMany)
		require.Equal(t, account.ConsentsPerDay+1, b.consentRows(uid))
		b.clock.Advance(24*time.Hour + time.Second)
		_, err = b.record(uid, answer(account.ConsentMarketing, true))
		require.NoError(t, err, "the next day is a new one")
	})

	t.Run("history cannot be changed by the service, and goes with its account", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		uid := b.insertMember(t)
		_, err := b.record(uid, answer(account.ConsentTerms, true))
		require.NoError(t, err)
		for _, statement := range []string{`UPDATE consents SET given = false`, `DELETE FROM consents`} {
			_, err := b.db.Pool.Exec(t.Context(), statement)
			require.ErrorContains(t, err, "SQLSTATE 42501", statement)
		}
		_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM accounts WHERE uid = $1`, uid)
		require.NoError(t, err)
		require.Zero(t, b.consentRows(uid))
	})
}

func TestConsentsAnsweredSideBySideAreOneAfterTheOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	same, opposite := b.insertMember(t), b.insertMember(t)
	var refused atomic.Int32
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			if _, err := b.record(same, answer(account.ConsentAnalytics, true)); err != nil {
				refused.Add(1)
			}
			if _, err := b.record(opposite, answer(account.ConsentAnalytics, i%2 == 0)); err != nil {
				refused.Add(1)
			}
		})
	}
	group.Wait()
	require.Zero(t, refused.Load())
	require.Equal(t, 1, b.consentRows(same), "sixteen times the same is one row")

	rows, err := b.db.Pool.Query(t.Context(), `SELECT given FROM consents WHERE uid = $1 ORDER BY given_at`, opposite)
	require.NoError(t, err)
	history, err := pgx.CollectRows(rows, pgx.RowTo[bool])
	require.NoError(t, err)
	require.Equal(t, history, slices.Compact(slices.Clone(history)), "every row changed what stood")
	require.Equal(t, 1+len(history), b.consentEvents())
	consents, err := b.accounts.Consents(t.Context(), opposite.String())
	require.NoError(t, err)
	require.Equal(t, history[len(history)-1], consents[0].Given)
}

// brokenOutbox cannot take events.
type brokenOutbox struct{}

func (brokenOutbox) Add(context.Context, pgx.Tx, outbox.Event) error {
	return errors.New("the outbox is full")
}

func TestAConsentWithoutItsEventIsNotRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.insertMember(t)
	store := postgres.New(b.db.Pool, brokenOutbox{}, nil, nil)
	broken := account.New(account.Config{Store: store, Throttle: store, Codes: b.codes, Now: b.clock.Now, NewID: newID, Log: testkit.Logger(t)})
	_, err := broken.RecordConsents(t.Context(), uid.String(), []account.ConsentAnswer{answer(account.ConsentTerms, true)})
	require.ErrorContains(t, err, "the outbox is full")
	require.Zero(t, b.consentRows(uid))
}

func TestConsentsFromBeforeWithdrawingExistedStillStand(t *testing.T) {
	t.Parallel()
	db := emptySchema(t)
	migrateFirst(t, db)
	uid := newID()
	_, err := db.Pool.Exec(t.Context(), `INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name,
		password_hash, referral_code, created_at, confirmed_at) VALUES ($1, 'a', 'a', 'a', 'a', 'A', 'B', '', 'r', now(), now())`, uid)
	require.NoError(t, err)
	_, err = db.Pool.Exec(t.Context(), `INSERT INTO consents (uid, kind, version, given_at) VALUES ($1, 'terms', '2026-11', now())`, uid)
	require.NoError(t, err)
	require.NoError(t, identity.Migrate(t.Context(), db.OwnerURL))
	consents, err := postgres.New(db.Pool, nil, nil, nil).Consents(t.Context(), uid)
	require.NoError(t, err)
	require.Equal(t, []account.ConsentAnswer{{Kind: account.ConsentTerms, Given: true, Version: "2026-11"}}, bare(consents))
}
