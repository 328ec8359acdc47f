package identity_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/events"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/platform/erasure"
	platformpostgres "serein.app/services/platform/postgres"
)

// leaves asks for the member's account to be deleted.
func (b *harness) leaves(a account.Account) time.Time {
	b.t.Helper()
	at, err := b.accounts.ScheduleDeletion(b.t.Context(), account.Signed{UID: a.UID.String()}, goodPassword, here)
	require.NoError(b.t, err)
	return at
}

// erased says that a service keeps nothing of the deletion's member.
func (b *harness) erased(deletion uuid.UUID, service string) {
	b.t.Helper()
	require.NoError(b.t, platformpostgres.InTx(b.t.Context(), b.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return b.store.Erased(ctx, tx, deletion, service, keepers(b.t))
	}))
}

func keepers(tb testing.TB) []string {
	tb.Helper()
	all, err := events.Keepers()
	require.NoError(tb, err)
	require.Len(tb, all, 5)
	return all
}

// told are the deletions that identity has published to the services, in order.
func (b *harness) told() (all []*eventsv1.UserDeleted) {
	b.t.Helper()
	for _, payload := range b.outbox("serein.identity.user.deleted.v1") {
		deleted := new(eventsv1.UserDeleted)
		require.NoError(b.t, payload.UnmarshalTo(deleted))
		all = append(all, deleted)
	}
	return all
}

func TestAMemberWhoLeavesIsSignedOutEverywhereAndToldUntilWhenItCanBeUndone(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a, other := b.member("amara"), b.member("nils")
	client := b.rp()
	token := b.browser().signIn(client, "amara")
	b.browser().signIn(client, "amara")
	b.browser().signIn(client, "nils")

	_, err := b.accounts.ScheduleDeletion(t.Context(), account.Signed{UID: a.UID.String()}, "not the password", here)
	require.ErrorIs(t, err, account.ErrWrongPassword)
	require.Zero(t, b.count(`SELECT count(*) FROM accounts WHERE deletes_at IS NOT NULL`))

	at := b.leaves(a)
	require.WithinDuration(t, b.clock.Now().Add(14*24*time.Hour), at, time.Second)
	letter := b.nextMail()
	require.Equal(t, "amara@example.org", letter.GetTo())
	require.True(t, letter.GetDeletionScheduled().GetDeletesAt().AsTime().Equal(at))
	require.Zero(t, b.count(`SELECT count(*) FROM sessions WHERE uid = $1`, a.UID))
	require.Zero(t, b.count(`SELECT count(*) FROM grants WHERE uid = $1 AND revoked_at IS NULL`, a.UID))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM sessions WHERE uid = $1`, other.UID), "nobody else is")
	require.Len(t, b.outbox("serein.identity.session.ended.v1"), 2)
	require.Len(t, b.outbox("serein.identity.deletion.scheduled.v1"), 1)
	_, err = client.refresh(token.RefreshToken)
	require.Error(t, err)

	b.clock.Advance(time.Hour)
	require.True(t, b.leaves(a).Equal(at), "asking again changes nothing")
	require.Len(t, b.outbox("serein.identity.deletion.scheduled.v1"), 1)
}

// What a session was given outlives it: a member is signed out of that too.
func TestAGrantWhoseSessionHasRunOutEndsWithTheAccountToo(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	b.browser().signIn(b.rp(), "amara")
	_, err := b.db.Pool.Exec(t.Context(), `DELETE FROM sessions`)
	require.NoError(t, err)
	b.leaves(a)
	require.Len(t, b.outbox("serein.identity.session.ended.v1"), 1)
}

func TestWhoLeavesSignsInToUndoItAndToNothingElse(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	client, br, verifier := b.rp(), b.browser(), oauth2.GenerateVerifier()
	b.leaves(a)
	_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: here})
	require.ErrorIs(t, err, account.ErrLeaving)
	known, err := b.store.ByReferralCode(t.Context(), a.ReferralCode)
	require.ErrorIs(t, err, account.ErrUserNotFound, known)

	page := br.submit(br.open(client, verifier), "amara", goodPassword)
	require.Equal(t, "/sign-in/keep", page.at.Path)
	require.Contains(t, page.body, "Keep my account")
	require.Zero(t, b.count(`SELECT count(*) FROM sessions`), "nobody is signed in by the password alone")
	stolen := page.fields()
	stolen.Set("token", "another")
	require.Equal(t, http.StatusForbidden, br.post("/sign-in/keep", stolen).status)
	require.Equal(t, http.StatusBadRequest, b.browser().post("/sign-in/keep", page.fields()).status, "another browser's")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts WHERE deletes_at IS NOT NULL`))

	kept := br.post("/sign-in/keep", page.fields())
	require.Equal(t, http.StatusFound, kept.status, kept.body)
	require.NotEmpty(t, kept.location(t).Query().Get("code"))
	require.Zero(t, b.count(`SELECT count(*) FROM accounts WHERE deletes_at IS NOT NULL`))
	require.Len(t, b.outbox("serein.identity.deletion.undone.v1"), 1)
	b.clock.Advance(30 * 24 * time.Hour)
	require.NoError(t, b.accounts.PursueDeletions(t.Context()))
	require.Empty(t, b.told())
}

func TestWhoseTimeToUndoItIsOverIsNobody(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	client, br := b.rp(), b.browser()
	b.leaves(a)
	b.clock.Advance(14*24*time.Hour - time.Minute)
	page := br.submit(br.open(client, oauth2.GenerateVerifier()), "amara", goodPassword)
	require.Equal(t, "/sign-in/keep", page.at.Path)
	b.clock.Advance(time.Minute)
	require.Equal(t, http.StatusGone, br.post("/sign-in/keep", page.fields()).status)
	_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: here})
	require.ErrorIs(t, err, account.ErrNotAuthorized, "as for a name that nobody has")
}

func TestADeletionIsToldUntilEveryServiceHasDoneItAndTheAccountGoesLast(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.member("amara"), b.member("nils")
	b.leaves(a)
	require.NoError(t, b.accounts.PursueDeletions(t.Context()))
	require.Empty(t, b.told(), "there is time")
	b.clock.Advance(14 * 24 * time.Hour)
	for range 3 {
		require.NoError(t, b.accounts.PursueDeletions(t.Context()))
	}
	told := b.told()
	require.Len(t, told, 1)
	require.Equal(t, a.UID.String(), told[0].GetUid())
	id := uuid.MustParse(told[0].GetDeletionId())
	for range 30 {
		b.clock.Advance(12 * time.Hour)
		require.NoError(t, b.accounts.PursueDeletions(t.Context()))
	}
	require.Len(t, b.told(), 12, "not for ever")
	for _, again := range b.told() {
		require.Equal(t, id.String(), again.GetDeletionId())
	}
	oldest, err := b.store.OldestDeletion(t.Context())
	require.NoError(t, err)
	require.Greater(t, b.clock.Now().Sub(oldest), 14*24*time.Hour, "and the metric shows that it hangs")

	for _, service := range keepers(t)[1:] {
		b.erased(id, service)
		b.erased(id, service)
	}
	require.Zero(t, b.count(`SELECT count(*) FROM erasures`))
	b.erased(id, keepers(t)[0])
	require.Equal(t, 1, b.count(`SELECT count(*) FROM erasures WHERE uid = $1`, a.UID))
	require.NoError(t, platformpostgres.InTx(t.Context(), b.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return b.store.FinishDeletion(ctx, tx, erasure.Deletion{ID: id, UID: a.UID})
	}))
	for _, table := range []string{"accounts", "consents", "codes", "deletions"} {
		require.Zero(t, b.count(`SELECT count(*) FROM `+table+` WHERE uid = $1`, a.UID), table)
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts WHERE uid = $1`, other.UID))
	b.erased(id, "mail") // one that comes late
}

func TestTheLastLetterGoesToTheAddressAndNamesNoMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, d := b.member("amara"), erasure.Deletion{ID: uuid.New()}
	d.UID = a.UID
	send := jobs.LastLetter(b.store, b.mail)
	require.NoError(t, send(t.Context(), d))
	letter := b.nextMail()
	require.Equal(t, "amara@example.org", letter.GetTo())
	require.Empty(t, letter.GetUid())
	require.NotContains(t, letter.GetIdempotencyKey(), a.UID.String())
	require.IsType(t, new(mailv1.SendMailRequest_AccountDeleted), letter.GetTemplate())
	require.NoError(t, send(t.Context(), erasure.Deletion{ID: uuid.New(), UID: uuid.New()}), "of an account that is gone there is nothing to say")
}

func TestGuessesAtThePasswordOfSomebodyWhoIsSignedInAreFew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	for range 10 {
		_, err := b.accounts.ScheduleDeletion(t.Context(), account.Signed{UID: a.UID.String()}, "not the password", here)
		require.ErrorIs(t, err, account.ErrWrongPassword)
	}
	_, err := b.accounts.ScheduleDeletion(t.Context(), account.Signed{UID: a.UID.String()}, goodPassword, here)
	require.ErrorIs(t, err, account.ErrTooManyRequests)
}
