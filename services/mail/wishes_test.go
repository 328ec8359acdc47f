package mail

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/mail/internal/notices"
	"serein.app/services/mail/internal/smtp/smtptest"
	"serein.app/services/mail/internal/unsubscribe"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
)

// gateway are mail's services as the gateway calls them.
type gateway struct {
	mailv1connect.LetterServiceClient
	mailv1connect.PreferenceServiceClient
	mailv1connect.DeliveryServiceClient
}

func (r *harness) gateway(t *testing.T) gateway {
	t.Helper()
	c, url, options := testkit.Dialer(t, "gateway").To(Name, r.url)
	return gateway{
		mailv1connect.NewLetterServiceClient(c, url, options), mailv1connect.NewPreferenceServiceClient(c, url, options),
		mailv1connect.NewDeliveryServiceClient(c, url, options),
	}
}

func as(t *testing.T, uid string) context.Context {
	t.Helper()
	return auth.WithMember(t.Context(), uid)
}

func wishes(reminders, rewards bool) *mailv1.Preferences {
	return &mailv1.Preferences{Reminders: reminders, Rewards: rewards}
}

func (r *harness) wish(t *testing.T, uid string, reminders, rewards bool) {
	t.Helper()
	res, err := r.gateway(t).SetPreferences(as(t, uid), &mailv1.SetPreferencesRequest{Preferences: wishes(reminders, rewards)})
	require.NoError(t, err)
	require.True(t, proto.Equal(wishes(reminders, rewards), res.GetPreferences()))
	got, err := r.gateway(t).GetPreferences(as(t, uid), &mailv1.GetPreferencesRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(wishes(reminders, rewards), got.GetPreferences()))
}

func TestWhoDoesWithoutAKindOfLettersGetsNoneOfItAndAllOthers(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	r.agrees(t, uid)
	res, err := r.gateway(t).GetPreferences(as(t, uid), &mailv1.GetPreferencesRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(wishes(true, true), res.GetPreferences()), "all, until somebody says otherwise")
	r.wish(t, uid, false, true)
	o.tell("billing", uid, &eventsv1.TrialEnding{Uid: uid, EndsAt: in(2 * day)}, 1)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	o.tell("billing", uid, &eventsv1.ReferralRewarded{Uid: uid, Credits: 5}, 1)
	o.tell("billing", uid, failed(uid, 1), 1)
	r.heard(t, 5)
	require.Equal(t, []string{"Credits for you, with our thanks", "Your payment didn’t go through"}, r.went(t, "ada@example.com"))
	r.wish(t, uid, true, false)
	o.tell("billing", uid, lowCredits(uid, "g2"), 1)
	o.tell("billing", uid, &eventsv1.ReferralTakenBack{Uid: uid, Credits: 5}, 1)
	r.heard(t, 7)
	require.Equal(t, []string{"Credits for you, with our thanks", "Your credits are nearly spent", "Your payment didn’t go through"}, r.went(t, "ada@example.com"))
}

// consents tells that the member has agreed to marketing, or has taken it back, and to analytics besides.
func (o teller) consents(uid string, given bool, at time.Time) {
	o.t.Helper()
	said := func(kind string, given bool) *eventsv1.Consent {
		return &eventsv1.Consent{Kind: kind, Given: given, Version: "2026-11-22", Time: timestamppb.New(at)}
	}
	o.tell("identity", uid, &eventsv1.ConsentsChanged{Uid: uid, Consents: []*eventsv1.Consent{said("analytics", !given), said("marketing", given)}}, 1)
}

func TestWhatInvitesToBuyGoesToWhoHasAgreedToMarketingAndStopsWithTheConsent(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid, now := r.teller(t), uuid.NewString(), time.Now()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	o.tell("billing", uid, &eventsv1.ReferralRewarded{Uid: uid, Credits: 5}, 1)
	r.heard(t, 3)
	earned := "Credits for you, with our thanks"
	require.Equal(t, []string{earned}, r.went(t, "ada@example.com"), "who was never asked has not agreed; what they earned is no marketing")
	o.consents(uid, true, now)
	r.heard(t, 4)
	o.tell("billing", uid, lowCredits(uid, "g2"), 1)
	r.heard(t, 5)
	require.Equal(t, []string{earned, "Your credits are nearly spent"}, r.went(t, "ada@example.com"))
	o.consents(uid, false, now.Add(2*time.Second))
	r.heard(t, 6)
	o.consents(uid, true, now.Add(time.Second)) // an older word that comes late
	r.heard(t, 7)
	o.tell("billing", uid, lowCredits(uid, "g3"), 1)
	o.tell("billing", uid, &eventsv1.TrialEnding{Uid: uid, EndsAt: in(2 * day)}, 1)
	r.heard(t, 9)
	require.Equal(t, []string{earned, "Your credits are nearly spent", "Your trial ends soon"}, r.went(t, "ada@example.com"), "that something ends is no marketing")
	o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 1)
	r.heard(t, 10)
	o.consents(uid, true, now.Add(time.Hour))
	r.heard(t, 11)
	require.Zero(t, r.count(t, `SELECT count(*) FROM marketing`), "it goes with the account, and does not come again")
}

func TestAReminderThatWaitsIsNotSentWhereTheConsentIsTakenBack(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	r.heard(t, 1)
	o.consents(uid, false, time.Now())
	r.heard(t, 2)
	wake()
	require.Empty(t, r.went(t, "ada@example.com"))
	require.Equal(t, row{State: "failed", Reason: "declined", Erased: true}, r.row(t, r.only(t)))
}

func TestALetterThatWaitsIsNotSentToWhoEndsItsKindMeanwhile(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	o.tell("billing", uid, &eventsv1.ReferralRewarded{Uid: uid, Credits: 5}, 1)
	r.heard(t, 1)
	r.wish(t, uid, false, false)
	wake()
	require.Empty(t, r.went(t, "ada@example.com"))
	require.Equal(t, row{State: "failed", Reason: "declined", Erased: true}, r.row(t, r.only(t)))
}

// token is that of the one-click header of a message.
func token(t *testing.T, m smtptest.Message) string {
	t.Helper()
	header := m.Parse(t).Header
	require.Equal(t, "List-Unsubscribe=One-Click", header.Get("List-Unsubscribe-Post"))
	address, ok := strings.CutPrefix(header.Get("List-Unsubscribe"), "<https://serein.example/unsubscribe/")
	require.True(t, ok, header.Get("List-Unsubscribe"))
	return strings.TrimSuffix(address, ">")
}

func TestOneClickEndsTheKindOfTheLetterAndNoOther(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	r.agrees(t, uid)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	r.heard(t, 2)
	require.Len(t, r.went(t, "ada@example.com"), 1)
	var of string
	for _, m := range r.smtp.Accepted() {
		if m.Subject(t) == "Welcome to Serein" {
			require.Empty(t, m.Parse(t).Header.Get("List-Unsubscribe"), "nobody does without it")
			continue
		}
		of = token(t, m)
	}
	g := r.gateway(t)
	for _, ended := range []bool{false, false} { // a scanner that opens the link ends nothing
		res, err := g.DescribeUnsubscription(t.Context(), &mailv1.DescribeUnsubscriptionRequest{Token: of})
		require.NoError(t, err)
		require.Equal(t, []any{mailv1.LetterKind_LETTER_KIND_REMINDERS, ended}, []any{res.GetKind(), res.GetEnded()})
	}
	for range 2 {
		res, err := g.Unsubscribe(t.Context(), &mailv1.UnsubscribeRequest{Token: of})
		require.NoError(t, err)
		require.Equal(t, mailv1.LetterKind_LETTER_KIND_REMINDERS, res.GetKind())
	}
	res, err := g.DescribeUnsubscription(t.Context(), &mailv1.DescribeUnsubscriptionRequest{Token: of})
	require.NoError(t, err)
	require.True(t, res.GetEnded())
	got, err := g.GetPreferences(as(t, uid), &mailv1.GetPreferencesRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(wishes(false, true), got.GetPreferences()))
	_, err = g.Unsubscribe(t.Context(), &mailv1.UnsubscribeRequest{Token: of[1:]})
	require.ErrorIs(t, err, unsubscribe.ErrInvalid)
	_, err = g.DescribeUnsubscription(t.Context(), &mailv1.DescribeUnsubscriptionRequest{Token: "x"})
	require.ErrorIs(t, err, unsubscribe.ErrInvalid)
}

func (r *harness) notice(t *testing.T, body string, secret config.Secret) error {
	t.Helper()
	_, err := r.gateway(t).ReceiveNotice(t.Context(), &mailv1.ReceiveNoticeRequest{
		Payload: []byte(body), Signature: notices.Sign([]byte(body), time.Now(), secret),
	})
	return err
}

func (r *harness) suppressed(t *testing.T, uid string) bool {
	t.Helper()
	res, err := r.gateway(t).GetPreferences(as(t, uid), &mailv1.GetPreferencesRequest{})
	require.NoError(t, err)
	return res.GetSuppressed()
}

func TestAnAddressThatBouncedGetsNothingButCodesUntilItIsConfirmedAnew(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	require.False(t, r.suppressed(t, uid))
	bounced := `{"events":[{"type":"bounce","permanent":true,"address":"ADA@example.com"}]}`
	require.ErrorIs(t, r.notice(t, bounced, unsubscribeKey), notices.ErrInvalid)
	require.False(t, r.suppressed(t, uid), "not by a notice of somebody else")
	require.NoError(t, r.notice(t, bounced, noticeSecret))
	require.NoError(t, r.notice(t, bounced, noticeSecret))
	require.True(t, r.suppressed(t, uid))
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	o.tell("billing", uid, failed(uid, 1), 1)
	r.heard(t, 2)
	r.ends(t, r.send(t, confirmation("asked for")))
	require.Equal(t, []string{"Your confirmation code for Serein"}, r.went(t, "ada@example.com"))
	require.Equal(t, []string{"To be packed, order S-10001"}, r.went(t, company))
	require.Regexp(t, `serein_mail_suppressed[a-z_]*\{.*reason="bounce".*\} 1`, r.metrics(t))

	o.confirms(uid, "ada@example.com")
	r.heard(t, 3)
	require.False(t, r.suppressed(t, uid))
	o.tell("billing", uid, failed(uid, 2), 1)
	r.heard(t, 4)
	require.Equal(t, []string{"Your confirmation code for Serein", "Your payment still hasn’t gone through"}, r.went(t, "ada@example.com"))
}

func TestWhoComplainedGetsWhatTheyAreOwedAndNothingElse(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	o.tell("billing", uid, &eventsv1.ReferralRewarded{Uid: uid, Credits: 5}, 1)
	r.heard(t, 1)
	require.NoError(t, r.notice(t, `{"events":[{"type":"complaint","address":"ada@example.com"}]}`, noticeSecret))
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	r.heard(t, 3)
	wake()
	require.Equal(t, []string{"Your receipt from Serein, order S-10001"}, r.went(t, "ada@example.com"))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM mails WHERE reason = 'suppressed'`), "also what was waiting")
	require.NoError(t, r.notice(t, `{"events":[{"type":"bounce","permanent":true,"address":"ada@example.com"}]}`, noticeSecret))
	require.NoError(t, r.notice(t, `{"events":[{"type":"complaint","address":"ada@example.com"}]}`, noticeSecret))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM suppressed WHERE reason = 'bounce'`), "nobody there is more than a complaint")
}

func TestAServerThatSaysThatNobodyIsThereEndsTheAddresssLettersAndAPolicyDoesNot(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.smtp.Fail = func(m smtptest.Message) error {
		status := map[string]gosmtp.EnhancedCode{"gone@example.com": {5, 1, 1}, company: {5, 1, 1}, "strict@example.com": {5, 7, 1}}[m.To[0]]
		return &gosmtp.SMTPError{Code: 550, EnhancedCode: status, Message: "no"}
	}
	r.start(t)
	for _, to := range []string{"gone@example.com", "strict@example.com"} {
		req := confirmation(to)
		req.To = to
		require.Equal(t, row{State: "failed", Reason: "rejected", Erased: true}, r.ends(t, r.send(t, req)))
	}
	o, uid := r.teller(t), uuid.NewString()
	o.tell("billing", uid, &eventsv1.TrialStarted{Uid: uid, StartsAt: in(0), EndsAt: in(day)}, 1)
	r.heard(t, 1)
	require.Empty(t, r.went(t, company))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM suppressed WHERE reason = 'bounce'`), "the one address alone, and not our own")
	require.Zero(t, r.count(t, `SELECT count(*) FROM suppressed s WHERE position('gone' IN s::text) > 0`), "by a hash")
}

func TestSamplesOfAllLettersAreShownOnlyWhereThatIsWished(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	res, err := http.Get(r.url + "/preview")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNotFound, res.StatusCode)
	shown := setup(t)
	shown.preview = true
	shown.start(t)
	res, err = http.Get(shown.url + "/preview")
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	var all struct {
		Letters []struct{ Name, Subject, Text, HTML string }
	}
	require.NoError(t, json.Unmarshal(body, &all))
	require.Greater(t, len(all.Letters), 25)
	for _, l := range all.Letters {
		require.NotContains(t, []string{l.Name, l.Subject, l.Text, l.HTML}, "", l.Name)
	}
}
