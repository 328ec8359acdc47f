package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

const getInvite = "/serein.web.v1.AccountService/GetInvite"

func (b *browser) invited(t *testing.T, code string) any {
	t.Helper()
	got := b.call(t, getInvite, `{"code":"`+code+`"}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	return tree(t, got.body)["known"]
}

func TestAnInvitationIsKnownToVisitorsAndIsNobodysOwn(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	visitor, member := s.gateways[0].browser(t), s.member(t)
	require.Equal(t, true, visitor.invited(t, aCode))
	require.Equal(t, true, visitor.invited(t, "ADA-4F2K"))
	require.Nil(t, member.invited(t, "ADA-4F2K"), "their own")
	require.Equal(t, true, member.invited(t, aCode))
	require.Nil(t, visitor.invited(t, "NOBODY-0000"), "which is no error")
	asked := s.services.asks(identityv1connect.InviteServiceGetInviteProcedure)
	require.Nil(t, visitor.invited(t, ""))
	require.Equal(t, asked, s.services.asks(identityv1connect.InviteServiceGetInviteProcedure), "no code is nothing to ask for")
	require.Equal(t, "INVALID_ARGUMENT", visitor.call(t, getInvite, `{"code":"`+strings.Repeat("x", 65)+`"}`).reason(t))
}

func TestGuessingCodesIsCountedByAddress(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	for range crowd.Size {
		s.gateways[0].browser(t).invited(t, aCode)
	}
	over := s.gateways[0].browser(t).call(t, getInvite, `{"code":"`+aCode+`"}`)
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
}

func TestASignUpBringsTheCodeOfItsInvitation(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	require.Equal(t, http.StatusOK, b.call(t, signUpCall, strings.Replace(signUp, "{", `{"invite":"`+aCode+`",`, 1)).StatusCode)
	require.Equal(t, http.StatusOK, b.call(t, signUpCall, signUp).StatusCode)
	require.Equal(t, []string{aCode, ""}, []string{s.services.signUps[0].GetInvite(), s.services.signUps[1].GetInvite()})
}

func TestAFriendIsInvitedWithTheMembersOwnCodeAndWhatItGives(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const body = `{"idempotencyKey":"` + mine + `","name":"Grace","email":"grace@example.org"`
	sent := b.call(t, membershipOf+"InviteFriend", body+`,"code":"MINE","trialDays":365}`)
	require.Equal(t, http.StatusOK, sent.StatusCode, sent.body)
	require.True(t, proto.Equal(&mailv1.SendInvitationRequest{
		IdempotencyKey: mine, FriendName: "Grace", Email: "grace@example.org", Code: "ADA-4F2K", TrialDays: 14,
	}, s.services.lastly["SendInvitation"]))
	require.Equal(t, s.uid(), s.services.subjectOf(mailv1connect.LetterServiceSendInvitationProcedure).UID)

	s.services.failing(mailv1connect.LetterServiceSendInvitationProcedure, errs.New(errs.Exhausted, errorsv1.Reason_REASON_LETTERS_LIMIT, "Enough for today."))
	require.Equal(t, "LETTERS_LIMIT", b.call(t, membershipOf+"InviteFriend", body+"}").reason(t))

	away := start(t, 1)
	away.services.failing(billingv1connect.PlanServiceListPlansProcedure, errAway)
	require.Equal(t, "UNAVAILABLE", away.member(t).call(t, membershipOf+"InviteFriend", body+"}").reason(t), "nothing is promised that may not be so")
	require.Zero(t, away.services.asks(mailv1connect.LetterServiceSendInvitationProcedure))
}

// The page is the same whatever code it is opened with, so nobody on the way may keep one for another.
func TestTheSignUpPageIsOpenedWithACodeAndKeptByNobody(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	for _, query := range []string{"", "?invite=" + aCode, "?invite=%3Cscript%3E", "?invite=" + strings.Repeat("x", 2000)} {
		got := b.get(t, "/signup"+query, "Accept", "text/html")
		require.Equal(t, http.StatusOK, got.StatusCode, query)
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"))
		require.NotContains(t, got.body, "invite=")
		require.NotContains(t, got.body, aCode)
	}
	slash := b.get(t, "/signup/?invite="+aCode)
	require.Equal(t, http.StatusMovedPermanently, slash.StatusCode)
	require.Equal(t, "/signup?invite="+aCode, slash.Header.Get("Location"))
}
