package identity_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
)

// sid of the only session of a member.
func (b *harness) sid(uid uuid.UUID) uuid.UUID {
	b.t.Helper()
	var sid uuid.UUID
	require.NoError(b.t, b.db.Pool.QueryRow(b.t.Context(), `SELECT sid FROM sessions WHERE uid = $1`, uid).Scan(&sid))
	return sid
}

// updates are the published changes of members.
func (b *harness) updates() []*eventsv1.UserUpdated {
	b.t.Helper()
	var all []*eventsv1.UserUpdated
	for _, payload := range b.outbox("serein.identity.user.updated.v1") {
		e := new(eventsv1.UserUpdated)
		require.NoError(b.t, payload.UnmarshalTo(e))
		all = append(all, e)
	}
	return all
}

// change asks for another address, and gives the letters to the present one and to the other.
func (b *harness) change(a account.Account, email string) (present, fresh *mailv1.SendMailRequest) {
	b.t.Helper()
	_, err := b.accounts.BeginAddressChange(b.t.Context(), account.Signed{UID: a.UID.String()}, goodPassword, email)
	require.NoError(b.t, err)
	for range 2 {
		m := b.nextMail()
		if m.GetAddressNotice() != nil {
			present = m
		} else {
			fresh = m
		}
	}
	require.NotNil(b.t, present)
	require.NotNil(b.t, fresh)
	return present, fresh
}

func TestAChangedPasswordEndsEverySessionButTheOneThatChangedIt(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a, client := b.member("amara"), b.rp()
	here := b.browser().signIn(client, "amara")
	m := account.Signed{UID: a.UID.String(), SID: b.sid(a.UID).String()}
	elsewhere := b.browser().signIn(client, "amara")
	require.Equal(t, 4, b.sessions(a.UID))

	require.ErrorIs(t, b.accounts.ChangePassword(t.Context(), m, "not the password", otherPassword), account.ErrWrongPassword)
	require.ErrorIs(t, b.accounts.ChangePassword(t.Context(), m, goodPassword, goodPassword), account.ErrInvalidPassword)
	require.ErrorIs(t, b.accounts.ChangePassword(t.Context(), m, goodPassword, "amara likes herons"), account.ErrInvalidPassword)
	require.Equal(t, 4, b.sessions(a.UID))
	require.NoError(t, b.accounts.ChangePassword(t.Context(), m, goodPassword, otherPassword))
	require.Equal(t, "amara", b.nextMail().GetPasswordChanged().GetUsername())
	require.Len(t, b.outbox("serein.identity.session.ended.v1"), 1)
	require.Equal(t, 2, b.sessions(a.UID))
	_, err := client.TokenSource(client.ctx, &oauth2.Token{RefreshToken: elsewhere.RefreshToken}).Token()
	require.Error(t, err)
	_, err = client.TokenSource(client.ctx, &oauth2.Token{RefreshToken: here.RefreshToken}).Token()
	require.NoError(t, err)
}

func TestASessionThatIsNotTheMembersGuessesTheirPasswordNoMoreThanAnybodyElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	m := account.Signed{UID: a.UID.String(), SID: uuid.NewString()}
	for range 10 {
		err := b.accounts.ChangePassword(t.Context(), m, "not the password", otherPassword)
		require.ErrorIs(t, err, account.ErrWrongPassword)
		require.NotEqual(t, errs.Unauthenticated, errs.KindOf(err), "who mistypes is no visitor")
	}
	require.ErrorIs(t, b.accounts.ChangePassword(t.Context(), m, goodPassword, otherPassword), account.ErrTooManyRequests)
	_, err := b.accounts.BeginAddressChange(t.Context(), m, goodPassword, "amara@new.example")
	require.ErrorIs(t, err, account.ErrTooManyRequests)
	_, err = b.accounts.Authenticate(t.Context(), account.Attempt{Login: "amara", Password: goodPassword, Address: here})
	require.NoError(t, err, "the member is not kept out by it")
}

func TestANameIsChangedAndToldToWhoeverKeepsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	_, err := b.accounts.ChangeName(t.Context(), a.UID.String(), "Amára", "  ")
	require.Equal(t, "family_name", errs.From(err).Field)
	changed, err := b.accounts.ChangeName(t.Context(), a.UID.String(), "Amára", "Lind")
	require.NoError(t, err)
	require.Equal(t, "Amára", changed.GivenName)
	_, err = b.accounts.ChangeName(t.Context(), a.UID.String(), "Amára", "Lind")
	require.NoError(t, err)
	require.Len(t, b.updates(), 1, "the same again is no news")
	require.Equal(t, []string{"given_name", "family_name"}, b.updates()[0].GetFields())
	require.Equal(t, "Amára", b.updates()[0].GetGivenName())
}

func TestAnAddressIsChangedByTheCodesOfBothMailboxes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, ctx := b.member("amara"), t.Context()
	uid := a.UID.String()
	present, fresh := b.change(a, "Amara@new.example")
	require.Equal(t, "amara@example.org", present.GetTo())
	require.Equal(t, "Amara@new.example", present.GetAddressNotice().GetNewAddress())
	require.Equal(t, "Amara@new.example", fresh.GetTo())
	require.Empty(t, fresh.GetGivenName(), "nobody's words go to an address that is not proved")
	codes := [2]string{present.GetAddressNotice().GetCode(), fresh.GetAddressCode().GetCode()}

	err := b.accounts.ConfirmAddressChange(ctx, uid, wrongCode(codes[0]), codes[1])
	require.ErrorIs(t, err, account.ErrCodeMismatch)
	require.Equal(t, "present_code", errs.From(err).Field)
	err = b.accounts.ConfirmAddressChange(ctx, uid, codes[0], wrongCode(codes[1]))
	require.ErrorIs(t, err, account.ErrCodeMismatch)
	require.Equal(t, "new_code", errs.From(err).Field)
	if codes[0] != codes[1] {
		require.Error(t, b.accounts.ConfirmAddressChange(ctx, uid, codes[1], codes[0]), "each is its own mailbox's")
	}
	still, err := b.accounts.ByUID(ctx, uid)
	require.NoError(t, err)
	require.Equal(t, "amara@example.org", still.Email, "until then the present one stays")

	require.NoError(t, b.accounts.ConfirmAddressChange(ctx, uid, codes[0], codes[1]))
	told := b.nextMail()
	require.Equal(t, "amara@example.org", told.GetTo(), "the letter goes to the former address")
	require.Equal(t, "Amara@new.example", told.GetAddressChanged().GetNewAddress())
	require.Equal(t, []string{"email"}, b.updates()[0].GetFields())
	require.Equal(t, "Amara@new.example", b.updates()[0].GetEmail())
	_, err = b.accounts.Authenticate(ctx, account.Attempt{Login: "amara@new.example", Password: goodPassword, Address: here})
	require.NoError(t, err)
	_, err = b.accounts.Authenticate(ctx, account.Attempt{Login: "amara@example.org", Password: goodPassword, Address: here})
	require.ErrorIs(t, err, account.ErrNotAuthorized, "the former one is nobody's")
	require.ErrorIs(t, b.accounts.ConfirmAddressChange(ctx, uid, codes[0], codes[1]), account.ErrNoChange, "once")
}

func TestAnAddressThatIsSomebodysIsToldToNobodyButTheirMailbox(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	b.member("nils")
	present, owner := b.change(a, "nils@example.org")
	require.Equal(t, "nils", owner.GetAccountExists().GetUsername())
	require.Equal(t, "nils@example.org", owner.GetTo())
	err := b.accounts.ConfirmAddressChange(t.Context(), a.UID.String(), present.GetAddressNotice().GetCode(), "123456")
	require.ErrorIs(t, err, account.ErrCodeMismatch, "as for a wrong code")

	present, fresh := b.change(a, "shared@example.org")
	_, err = b.accounts.SignUp(t.Context(), form("quick", "shared@example.org"))
	require.NoError(t, err)
	require.NoError(t, b.accounts.Confirm(t.Context(), here, "quick", b.nextMail().GetConfirmationCode().GetCode()))
	err = b.accounts.ConfirmAddressChange(t.Context(), a.UID.String(), present.GetAddressNotice().GetCode(), fresh.GetAddressCode().GetCode())
	require.ErrorIs(t, err, account.ErrCodeMismatch, "who was confirmed first has it")
}

func TestAChangeOfAddressLapsesIsReplacedAndEndsWithThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, ctx := b.member("amara"), t.Context()
	uid := a.UID.String()
	give := func(present, fresh *mailv1.SendMailRequest) error {
		return b.accounts.ConfirmAddressChange(ctx, uid, present.GetAddressNotice().GetCode(), fresh.GetAddressCode().GetCode())
	}
	first, other := b.change(a, "first@new.example")
	second, another := b.change(a, "second@new.example")
	require.Error(t, give(first, other), "another was asked for")
	b.clock.Advance(account.CodeLife)
	require.ErrorIs(t, give(second, another), account.ErrExpiredCode)
	_, waits, err := b.accounts.AddressChange(ctx, a)
	require.NoError(t, err)
	require.False(t, waits)
	third, last := b.change(a, "third@new.example")
	require.NoError(t, b.accounts.ChangePassword(ctx, account.Signed{UID: uid}, goodPassword, otherPassword))
	require.ErrorIs(t, give(third, last), account.ErrNoChange)
}

func TestGuessesAtTheCodesOfAnAddressAreFew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, ctx := b.member("amara"), t.Context()
	present, fresh := b.change(a, "amara@new.example")
	for range account.CodeTries {
		err := b.accounts.ConfirmAddressChange(ctx, a.UID.String(), wrongCode(present.GetAddressNotice().GetCode()), fresh.GetAddressCode().GetCode())
		require.ErrorIs(t, err, account.ErrCodeMismatch)
	}
	b.change(a, "amara@new.example")
	err := b.accounts.ConfirmAddressChange(ctx, a.UID.String(), "123456", "123456")
	require.ErrorIs(t, err, account.ErrLimitExceeded, "fresh codes have no fresh tries")
}

func TestWhoeverReadsTheNoticeStopsTheChange(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	present, fresh := b.change(a, "amara@new.example")
	link, err := url.Parse(present.GetAddressNotice().GetStop())
	require.NoError(t, err)
	br := b.browser()
	asked := br.getFrom("cross-site", b.server.URL+link.RequestURI())
	require.Equal(t, http.StatusOK, asked.status)
	require.Contains(t, asked.body, "amara@new.example")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM address_changes WHERE ended_at IS NULL`), "opening it changes nothing")
	require.Contains(t, br.post("/sign-in/address/stop", asked.fields()).body, "We’ve stopped the change")
	require.Error(t, b.accounts.ConfirmAddressChange(t.Context(), a.UID.String(), present.GetAddressNotice().GetCode(), fresh.GetAddressCode().GetCode()))
	require.Equal(t, http.StatusGone, br.post("/sign-in/address/stop", asked.fields()).status)
	require.Equal(t, http.StatusGone, br.get(b.server.URL+"/sign-in/address/stop?change=junk").status)
}
