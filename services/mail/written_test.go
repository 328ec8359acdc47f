package mail

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

func requireReason(t *testing.T, err error, reason errorsv1.Reason) {
	t.Helper()
	require.True(t, errs.Has(err, reason), "%v", err)
}

func asAdmin(t *testing.T, uid string) context.Context {
	t.Helper()
	return auth.WithSubject(t.Context(), auth.Subject{UID: uid, Admin: true})
}

func freeLetter(to string) *mailv1.SendFreeLetterRequest {
	return &mailv1.SendFreeLetterRequest{
		IdempotencyKey: uuid.NewString(), To: to, Subject: "About your parcel", Html: `<p>It left <b>today</b>.<script>x()</script></p>`,
	}
}

func TestAnAdminsLetterIsCleanedSentOnceAndRecorded(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	admin, req := uuid.NewString(), freeLetter("ada@example.com")
	req.Cc = "grace@example.com"
	ids := make([]string, 4)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			res, err := r.gateway(t).SendFreeLetter(asAdmin(t, admin), req)
			if err != nil {
				t.Errorf("send: %v", err)
			}
			ids[i] = res.GetMailId()
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	for _, to := range []string{"ada@example.com", "grace@example.com"} {
		require.Equal(t, []string{"About your parcel"}, r.went(t, to), "each gets one, and neither sees the other")
	}
	for _, m := range r.smtp.Accepted() {
		require.Contains(t, m.Raw, "It left today.", "as plain text")
		require.Contains(t, m.Raw, "<p>It left <b>today</b>.</p>")
		require.NotContains(t, m.Raw, "script")
	}
	require.Equal(t, 2, r.count(t, `SELECT count(*) FROM free_letters WHERE sender = $1 AND recipient IN ($2, $3)`,
		admin, letters.AddressHash("ada@example.com"), letters.AddressHash("grace@example.com")))
	elsewhere := freeLetter("ada@example.com")
	elsewhere.IdempotencyKey, elsewhere.Cc = req.GetIdempotencyKey(), "eve@example.com"
	_, err := r.gateway(t).SendFreeLetter(asAdmin(t, admin), elsewhere)
	requireReason(t, err, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED)
	req.Subject = "Something else"
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, admin), req)
	requireReason(t, err, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED)
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, uuid.NewString()), req)
	require.NoError(t, err, "another sender's key is another")
}

func TestALetterInOnesOwnWordsIsForAdminsAlone(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	_, err := r.gateway(t).SendFreeLetter(as(t, uuid.NewString()), freeLetter("ada@example.com"))
	require.ErrorIs(t, err, auth.ErrAdminRequired)
	_, err = r.gateway(t).SendFreeLetter(t.Context(), freeLetter("ada@example.com"))
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	for what, change := range map[string]func(*mailv1.SendFreeLetterRequest){
		"two addresses":      func(m *mailv1.SendFreeLetterRequest) { m.To = "a@example.com,b@example.com" },
		"a header in it":     func(m *mailv1.SendFreeLetterRequest) { m.To = "a@example.com\r\nBcc: b@example.com" },
		"a bad copy":         func(m *mailv1.SendFreeLetterRequest) { m.Cc = "b" },
		"no words":           func(m *mailv1.SendFreeLetterRequest) { m.Html = "<script>x</script>" },
		"a subject of blank": func(m *mailv1.SendFreeLetterRequest) { m.Subject = " " },
	} {
		req := freeLetter("ada@example.com")
		change(req)
		_, err := r.gateway(t).SendFreeLetter(asAdmin(t, uuid.NewString()), req)
		require.Equal(t, errs.Invalid, errs.KindOf(err), what)
	}
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails`))
	require.Zero(t, r.count(t, `SELECT count(*) FROM free_letters`))
}

func (r *harness) haveWritten(t *testing.T, n int, sender string, ago time.Duration) {
	t.Helper()
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO free_letters (key, mail_id, sender, recipient, digest, sent_at)
		SELECT gen_random_uuid(), gen_random_uuid(), $1, '', '', now() - $2::interval FROM generate_series(1, $3)`, sender, ago, n)
	require.NoError(t, err)
}

func TestAHundredLettersOfOneSenderAndFiveHundredOfAllAreTakenInADay(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	one, other := uuid.NewString(), uuid.NewString()
	r.haveWritten(t, 99, one, 23*time.Hour)
	req := freeLetter("ada@example.com")
	pair := freeLetter("ada@example.com")
	pair.Cc = "grace@example.com"
	_, err := r.gateway(t).SendFreeLetter(asAdmin(t, one), pair)
	requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT)
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, one), req)
	require.NoError(t, err)
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, one), freeLetter("ada@example.com"))
	requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT)
	var refused *errs.Error
	require.ErrorAs(t, err, &refused)
	require.InDelta(t, time.Hour, refused.RetryAfter, float64(time.Minute))
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, one), req)
	require.NoError(t, err, "one that was taken is not refused")
	for range 4 {
		r.haveWritten(t, 99, uuid.NewString(), time.Hour)
	}
	r.haveWritten(t, 3, uuid.NewString(), time.Hour)
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, other), pair)
	requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT) // a copy is a letter too
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, other), freeLetter("ada@example.com"))
	require.NoError(t, err, "the five hundredth")
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, other), freeLetter("ada@example.com"))
	requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT)
	_, err = r.Pool.Exec(t.Context(), `UPDATE free_letters SET sent_at = sent_at - interval '25 hours'`)
	require.NoError(t, err)
	_, err = r.gateway(t).SendFreeLetter(asAdmin(t, one), freeLetter("ada@example.com"))
	require.NoError(t, err)
}

func TestAThousandLettersAtOnceAreNotMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	sender := uuid.NewString()
	r.haveWritten(t, 95, sender, time.Hour)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := r.gateway(t).SendFreeLetter(asAdmin(t, sender), freeLetter(fmt.Sprint("ada", i, "@example.com")))
			if err != nil && !errs.Has(err, errorsv1.Reason_REASON_LETTERS_LIMIT) {
				t.Errorf("send: %v", err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 100, r.count(t, `SELECT count(*) FROM free_letters WHERE sender = $1`, sender))
}

func invitation(email string) *mailv1.SendInvitationRequest {
	return &mailv1.SendInvitationRequest{IdempotencyKey: uuid.NewString(), FriendName: "Grace", Email: email, Code: "ADA-7K2M", TrialDays: 21}
}

func (r *harness) invite(t *testing.T, uid string, req *mailv1.SendInvitationRequest) {
	t.Helper()
	res, err := r.gateway(t).SendInvitation(as(t, uid), req)
	require.NoError(t, err)
	require.Empty(t, res.String(), "it says nothing")
}

func TestAFriendIsInvitedOnceForEverByWhomeverAndTheAnswerIsTheSame(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada, eve := uuid.NewString(), uuid.NewString()
	r.remember(t, ada)
	r.remember(t, eve)
	_, err := r.Pool.Exec(t.Context(), `UPDATE members SET email = 'eve@example.com' WHERE uid = $1`, eve)
	require.NoError(t, err)
	req := invitation("grace@example.com")
	for range 3 {
		r.invite(t, ada, req)
	}
	r.invite(t, ada, invitation("Grace@Example.com"))
	r.invite(t, eve, invitation("grace@example.com"))
	r.invite(t, eve, invitation("ada@example.com")) // who has an account
	require.Equal(t, []string{"An invitation to Serein"}, r.went(t, "grace@example.com"))
	require.Equal(t, []string{"An invitation to Serein"}, r.went(t, "ada@example.com"))
	for _, m := range r.smtp.Accepted() {
		require.Contains(t, m.Raw, "Ada thinks you might like Serein")
		require.Contains(t, m.Raw, "/signup?invite=3DADA-7K2M")
		token(t, m)
	}
	_, err = r.Pool.Exec(t.Context(), `DELETE FROM mails; DELETE FROM invitations`) // as they are removed in time
	require.NoError(t, err)
	r.invite(t, eve, invitation("grace@example.com"))
	require.Len(t, r.went(t, "grace@example.com"), 1)
}

func TestWhoWantsNoInvitationsOrIsNotThereGetsNoneAndTheAnswerIsTheSame(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	r.remember(t, ada)
	r.invite(t, ada, invitation("grace@example.com"))
	require.Len(t, r.went(t, "grace@example.com"), 1)
	link := token(t, r.smtp.Accepted()[0])
	_, err := r.gateway(t).Unsubscribe(t.Context(), &mailv1.UnsubscribeRequest{Token: link})
	require.NoError(t, err)
	ended, err := r.gateway(t).DescribeUnsubscription(t.Context(), &mailv1.DescribeUnsubscriptionRequest{Token: link})
	require.NoError(t, err)
	require.Equal(t, []any{mailv1.LetterKind_LETTER_KIND_INVITATIONS, true}, []any{ended.GetKind(), ended.GetEnded()})
	_, err = r.Pool.Exec(t.Context(), `DELETE FROM invited; DELETE FROM mails`)
	require.NoError(t, err)
	require.NoError(t, r.notice(t, `{"events":[{"type":"complaint","address":"alan@example.com"}]}`, noticeSecret))
	r.invite(t, ada, invitation("grace@example.com"))
	r.invite(t, ada, invitation("alan@example.com"))
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails`))
	require.Equal(t, 3, r.count(t, `SELECT count(*) FROM invitations`), "each is counted")
}

func TestTenInvitationsOfAMemberAreTakenInADay(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada, eve := uuid.NewString(), uuid.NewString()
	r.remember(t, ada)
	r.remember(t, eve)
	last := invitation("friend@example.com")
	for i := range 9 {
		r.invite(t, ada, invitation(fmt.Sprint("friend", i/2, "@example.com"))) // some were invited before
	}
	r.invite(t, ada, last)
	_, err := r.gateway(t).SendInvitation(as(t, ada), invitation("one.more@example.com"))
	requireReason(t, err, errorsv1.Reason_REASON_LETTERS_LIMIT)
	r.invite(t, ada, last)
	r.invite(t, eve, invitation("one.more@example.com"))
	_, err = r.Pool.Exec(t.Context(), `UPDATE invitations SET asked_at = asked_at - interval '25 hours'`)
	require.NoError(t, err)
	r.invite(t, ada, invitation("two.more@example.com"))
}

func TestAnInvitationThatCouldNotBeSentIsRefused(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	ada := uuid.NewString()
	_, err := r.gateway(t).SendInvitation(as(t, ada), invitation("grace@example.com"))
	require.Equal(t, errs.Unavailable, errs.KindOf(err), "of a member of whom nothing was told yet")
	r.remember(t, ada)
	_, err = r.gateway(t).SendInvitation(t.Context(), invitation("grace@example.com"))
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	for what, change := range map[string]func(*mailv1.SendInvitationRequest){
		"two addresses":        func(m *mailv1.SendInvitationRequest) { m.Email = "a@example.com,b@example.com" },
		"a header in it":       func(m *mailv1.SendInvitationRequest) { m.Email = "a@example.com\r\nBcc: b@example.com" },
		"a header in the name": func(m *mailv1.SendInvitationRequest) { m.FriendName = "Grace\r\nBcc: b@example.com" },
		"a name too long":      func(m *mailv1.SendInvitationRequest) { m.FriendName = strings.Repeat("a", 101) },
	} {
		req := invitation("grace@example.com")
		change(req)
		_, err := r.gateway(t).SendInvitation(as(t, ada), req)
		require.Equal(t, errs.Invalid, errs.KindOf(err), what)
	}
	require.Zero(t, r.count(t, `SELECT count(*) FROM invitations`))
	require.Zero(t, r.count(t, `SELECT count(*) FROM mails`))
}
