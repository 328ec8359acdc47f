package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// invited signs up by a code and confirms, and gives whom the event names as the inviter.
func (b *harness) invited(username, code string) string {
	b.t.Helper()
	in := form(username, username+"@example.org")
	in.Invite = code
	_, err := b.accounts.SignUp(b.t.Context(), in)
	require.NoError(b.t, err)
	return b.confirmedInviter(username)
}

func (b *harness) confirmedInviter(username string) string {
	b.t.Helper()
	require.NoError(b.t, b.accounts.Confirm(b.t.Context(), here, username, b.nextMail().GetConfirmationCode().GetCode()))
	told := b.outbox("serein.identity.user.confirmed.v1")
	event := new(eventsv1.UserConfirmed)
	require.NoError(b.t, told[len(told)-1].UnmarshalTo(event))
	require.Equal(b.t, username, event.GetUsername())
	return event.GetInvitedBy()
}

func TestAConfirmationNamesWhoseInvitationItWas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inviter := b.member("amara")
	code := inviter.ReferralCode
	for username, typed := range map[string]string{
		"exact": code, "lower": strings.ToLower(code), "spaced": " " + code[:4] + "\u00a0 " + code[4:] + "\n",
	} {
		require.Equal(t, inviter.UID.String(), b.invited(username, typed), username)
	}
	require.Zero(t, b.count(`SELECT count(*) FROM accounts WHERE invited_by IS NOT NULL`), "the event carries it, and nothing else keeps it")
}

func TestAnUnknownInvitationChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amara := b.member("amara")
	up, err := b.accounts.SignUp(t.Context(), form("waits", "waits@example.org"))
	require.NoError(t, err)
	b.nextMail()
	waits, err := b.accounts.Pending(t.Context(), uuid.MustParse(up.Subject))
	require.NoError(t, err)
	for username, code := range map[string]string{
		"none": "", "spaces": "   ", "nobodys": "AAAAAAAAAA", "part": amara.ReferralCode[:9], "longer": amara.ReferralCode + "A",
		"pattern": "%%%%%%%%%%", "zero": amara.ReferralCode[:9] + "\x00", "unconfirmed": waits.ReferralCode,
	} {
		require.Empty(t, b.invited(username, code), username)
	}
}

func TestAnInvitationStaysWithASignUpWhoseAddressIsPutRight(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amara, nils := b.member("amara"), b.member("nils")
	first := form("friend", "mistyped@example.org")
	first.Invite = amara.ReferralCode
	again := func(invite string) uuid.UUID {
		t.Helper()
		in := form("friend", "friend@example.org")
		in.Invite = invite
		up, err := b.accounts.SignUp(t.Context(), in)
		require.NoError(t, err)
		return uuid.MustParse(up.Subject)
	}
	_, err := b.accounts.SignUp(t.Context(), first)
	require.NoError(t, err)
	b.nextMail()
	pending, err := b.accounts.Pending(t.Context(), again(""))
	require.NoError(t, err)
	require.Equal(t, amara.UID, *pending.InvitedBy)
	b.nextMail()
	again(nils.ReferralCode)
	require.Equal(t, nils.UID.String(), b.confirmedInviter("friend"), "the last that was named counts")
}

func TestTheSignUpAPITakesAnInvitation(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	status, answer, _ := b.api("AWSCognitoIdentityProviderService.SignUp", `{"ClientId":"`+signUpClient+`","Username":"friend","Password":"`+goodPassword+`",
		"UserAttributes":[{"Name":"email","Value":"friend@example.org"},{"Name":"given_name","Value":"Nils"},{"Name":"family_name","Value":"Berg"},
			{"Name":"custom:invite","Value":"`+amara.ReferralCode+`"}]}`)
	require.Equal(t, http.StatusOK, status, answer)
	require.Equal(t, amara.UID.String(), b.confirmedInviter("friend"))
}

func TestWhetherACodeInvitesIsToldToVisitorsAndMembersButNotOfOnesOwn(t *testing.T) {
	t.Parallel()
	a := setup(t).answer()
	amara, nils := a.member("amara"), a.member("nils")
	invites := func(as string) identityv1connect.InviteServiceClient {
		return identityv1connect.NewInviteServiceClient(testkit.Dialer(t, as).To("identity", a.url))
	}
	for name, c := range map[string]struct {
		uid, code string
		known     bool
	}{
		"a visitor":           {"", amara.ReferralCode, true},
		"a visitor, by ear":   {"", " " + strings.ToLower(amara.ReferralCode) + " ", true},
		"a friend":            {nils.UID.String(), amara.ReferralCode, true},
		"the member":          {amara.UID.String(), amara.ReferralCode, false},
		"a code of nobody's":  {"", "AAAAAAAAAA", false},
		"no code":             {"", "", false},
		"something else":      {"", strings.Repeat("x", 64), false},
		"a deleted inviter's": {"", a.deleted("gone").ReferralCode, false},
	} {
		ctx := t.Context()
		if c.uid != "" {
			ctx = a.as(c.uid, false)
		}
		res, err := invites("gateway").GetInvite(ctx, &identityv1.GetInviteRequest{Code: c.code})
		require.NoError(t, err, name)
		require.Equal(t, c.known, res.GetKnown(), name)
	}
	_, err := invites("gateway").GetInvite(t.Context(), &identityv1.GetInviteRequest{Code: strings.Repeat("x", 65)})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
	_, err = invites("mail").GetInvite(t.Context(), &identityv1.GetInviteRequest{})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
}

func TestAnInvitationLapsesWithItsSignUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	amara := b.member("amara")
	in := form("friend", "friend@example.org")
	in.Invite = amara.ReferralCode
	_, err := b.accounts.SignUp(t.Context(), in)
	require.NoError(t, err)
	b.nextMail()
	b.clock.Advance(account.UnconfirmedLife + time.Second)
	_, err = b.accounts.SignUp(t.Context(), form("friend", "another@example.org"))
	require.NoError(t, err)
	require.Empty(t, b.confirmedInviter("friend"), "another person's by now")
}

// deleted is a member whose account has gone.
func (b *harness) deleted(username string) account.Account {
	b.t.Helper()
	a := b.member(username)
	_, err := b.db.Pool.Exec(b.t.Context(), `DELETE FROM accounts WHERE uid = $1`, a.UID)
	require.NoError(b.t, err)
	return a
}
