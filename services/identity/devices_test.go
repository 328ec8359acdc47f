package identity_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/testkit"
)

const (
	firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"
	iphone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1"
)

// anyDevice is a device where it does not matter which.
var anyDevice = device.Of(firefox)

// signInFrom signs in with a browser that says what it is, and where.
func (b *harness) signInFrom(client *rp, userAgent, zone, login string) (br *browser, token *oauth2.Token, sid string) {
	b.t.Helper()
	br = b.browser()
	br.userAgent = userAgent
	verifier := oauth2.GenerateVerifier()
	answer := br.submit(br.open(client, verifier, oauth2.SetAuthURLParam("time_zone", zone)), login, goodPassword)
	require.Equal(b.t, http.StatusFound, answer.status, answer.body)
	token, err := client.Exchange(client.ctx, answer.location(b.t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(b.t, err)
	return br, token, client.verify(b.t, token).SID
}

// newDevice waits for the letter of a new device.
func (b *harness) newDevice() *mailv1.SendMailRequest {
	b.t.Helper()
	select {
	case m := <-b.mail.devices:
		return m
	case <-time.After(testkit.Patience):
		b.t.Fatal("no letter came")
		return nil
	}
}

// names of devices, in order.
func names(devices []*identityv1.Device) []string {
	all := make([]string, len(devices))
	for i, d := range devices {
		all[i] = d.GetName()
	}
	return all
}

func TestAMemberSeesWhereTheyAreSignedInAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	a := setup(t).serve().answer()
	amara, nils, client := a.member("amara"), a.member("nils"), a.rp()
	_, _, computer := a.signInFrom(client, firefox, "Europe/London", "amara")
	a.clock.Advance(time.Minute)
	_, _, phone := a.signInFrom(client, iphone, "Nowhere/Call_0800", "amara")
	a.signInFrom(client, firefox, "", "nils")
	res, err := a.devices("gateway").ListDevices(a.as(amara.UID.String(), false), &identityv1.ListDevicesRequest{Sid: computer})
	require.NoError(t, err)
	require.Equal(t, []string{"iPhone, Safari", "Windows computer, Firefox"}, names(res.GetDevices()), "the one used last first")
	first, second := res.GetDevices()[0], res.GetDevices()[1]
	require.Equal(t, []any{phone, identityv1.DeviceKind_DEVICE_KIND_PHONE, "", false}, []any{first.GetId(), first.GetKind(), first.GetPlace(), first.GetCurrent()})
	require.Equal(t, []any{computer, identityv1.DeviceKind_DEVICE_KIND_COMPUTER, "London", true}, []any{second.GetId(), second.GetKind(), second.GetPlace(), second.GetCurrent()})
	require.Equal(t, time.Minute, first.GetBeganAt().AsTime().Sub(second.GetBeganAt().AsTime()))
	res, err = a.devices("gateway").ListDevices(a.as(nils.UID.String(), false), &identityv1.ListDevicesRequest{})
	require.NoError(t, err)
	require.Len(t, res.GetDevices(), 1)
	_, err = a.devices("billing").ListDevices(a.as(nils.UID.String(), false), &identityv1.ListDevicesRequest{})
	require.Error(t, err, "the gateway's alone")
}

func TestADeviceThatIsSignedOutHasNothingLeftAndItsClientsAreTold(t *testing.T) {
	t.Parallel()
	b, gateway := setup(t).serve(), hears(t)
	b.serveWith(func(c []clientConfig) { c[0].BackChannelLogoutURI = gateway.URL })
	a := b.answer()
	amara, nils, client := a.member("amara"), a.member("nils"), a.rp()
	br, token, lost := a.signInFrom(client, firefox, "", "amara")
	_, own, here := a.signInFrom(client, iphone, "", "amara")
	_, others, theirs := a.signInFrom(client, firefox, "", "nils")
	devices := a.devices("gateway")
	end := func(uid uuid.UUID, id string) []*identityv1.Device {
		res, err := devices.EndDevice(a.as(uid.String(), false), &identityv1.EndDeviceRequest{Id: id, Sid: here})
		require.NoError(t, err)
		return res.GetDevices()
	}
	require.Len(t, end(amara.UID, theirs), 2, "somebody else's is none of theirs, and not told from one that is nobody's")
	require.Len(t, end(amara.UID, uuid.NewString()), 2)
	require.Len(t, end(nils.UID, lost), 1)
	_, err := client.refresh(others.RefreshToken)
	require.NoError(t, err)

	require.Equal(t, []string{"iPhone, Safari"}, names(end(amara.UID, lost)))
	require.Equal(t, lost, a.logoutToken("gateway", gateway.next(t))["sid"])
	require.Len(t, a.outbox("serein.identity.session.ended.v1"), 1)
	_, err = client.refresh(token.RefreshToken)
	require.Error(t, err)
	_, err = client.userinfo(token)
	require.Error(t, err)
	require.Contains(t, br.open(client, oauth2.GenerateVerifier()).body, "Password", "nor is its browser signed in")
	require.Len(t, end(amara.UID, lost), 1, "once")
	require.Len(t, a.outbox("serein.identity.session.ended.v1"), 1)
	_, err = client.refresh(own.RefreshToken)
	require.NoError(t, err)
}

func TestSigningOutEverywhereElseKeepsTheDeviceThatAsks(t *testing.T) {
	t.Parallel()
	a := setup(t).serve().answer()
	amara, client := a.member("amara"), a.rp()
	_, own, here := a.signInFrom(client, iphone, "", "amara")
	var elsewhere []*oauth2.Token
	for range 3 {
		_, token, _ := a.signInFrom(client, firefox, "", "amara")
		elsewhere = append(elsewhere, token)
	}
	res, err := a.devices("gateway").EndOtherDevices(a.as(amara.UID.String(), false), &identityv1.EndOtherDevicesRequest{Sid: here})
	require.NoError(t, err)
	require.Equal(t, []string{"iPhone, Safari"}, names(res.GetDevices()))
	require.True(t, res.GetDevices()[0].GetCurrent())
	for _, token := range elsewhere {
		_, err := client.refresh(token.RefreshToken)
		require.Error(t, err)
	}
	_, err = client.refresh(own.RefreshToken)
	require.NoError(t, err)
}

func TestADeviceIsShownForAsLongAsSomebodyCouldUseIt(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	shown := func() int {
		all, err := b.provider.Devices(t.Context(), amara.UID, uuid.Nil)
		require.NoError(t, err)
		return len(all)
	}
	_, token, _ := b.signInFrom(client, firefox, "", "amara")
	b.clock.Advance(oidcop.SessionLife + time.Minute)
	require.Equal(t, 1, shown(), "its cookie has ended, and its tokens have not")
	for range 3 {
		b.clock.Advance(oidcop.RefreshLife - oidcop.SessionLife - 2*time.Minute)
		fresh, err := client.refresh(token.RefreshToken)
		require.NoError(t, err)
		require.Equal(t, 1, shown(), "a device that is used stays")
		token = fresh
	}
	b.clock.Advance(oidcop.RefreshLife + 2*oidcop.UseEvery)
	require.Zero(t, shown(), "an unused token has ended")

	_, token, _ = b.signInFrom(client, firefox, "", "amara")
	revoked := b.clientPost("/oauth/revoke", "gateway", gatewaySecret, map[string][]string{"token": {token.RefreshToken}})
	require.Equal(t, http.StatusOK, revoked.status)
	require.Equal(t, 1, shown(), "its browser is still signed in")
	b.clock.Advance(oidcop.SessionLife)
	require.Zero(t, shown())
}

func TestTheUseOfADeviceIsWrittenDownEveryFewMinutesAtMost(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, client := b.member("amara"), b.rp()
	used := func() time.Time {
		all, err := b.provider.Devices(t.Context(), amara.UID, uuid.Nil)
		require.NoError(t, err)
		require.Len(t, all, 1)
		return all[0].UsedAt
	}
	br, token, _ := b.signInFrom(client, firefox, "", "amara")
	began := used()
	b.clock.Advance(oidcop.UseEvery - time.Second)
	br.open(client, oauth2.GenerateVerifier())
	require.Equal(t, began, used())
	b.clock.Advance(time.Second)
	br.open(client, oauth2.GenerateVerifier())
	require.Equal(t, oidcop.UseEvery, used().Sub(began), "a silent sign-in is a use")
	b.clock.Advance(2 * oidcop.UseEvery)
	_, err := client.refresh(token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, 3*oidcop.UseEvery, used().Sub(began), "and so is a token that is renewed")
}

func TestAMemberIsToldOfADeviceThatWasNotKnownOnceAndNeverOfTheirFirst(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	first, _, _ := b.signInFrom(client, firefox, "Europe/London", "amara")
	_, _, sid := b.signInFrom(client, iphone, "America/New_York", "amara")
	told := b.newDevice()
	require.Equal(t, sid, told.GetIdempotencyKey())
	require.Equal(t, "amara@example.org", told.GetTo())
	require.Equal(t, []string{"amara", "iPhone, Safari", "New York"}, []string{told.GetNewDevice().GetUsername(), told.GetNewDevice().GetDevice(), told.GetNewDevice().GetPlace()})
	require.NotZero(t, told.GetNewDevice().GetSignedInAt().GetSeconds())

	b.signOut(first)
	first.signIn(client, "amara") // it is known by its own cookie, past sign-out
	b.browser().signIn(client, "amara")
	again := b.newDevice()
	require.Equal(t, "Unknown browser", again.GetNewDevice().GetDevice())
	require.Equal(t, 2, b.count(`SELECT count(*) FROM river_job WHERE kind = 'identity.account_mail'`), "one letter a new device, and none for a known one")
	require.Empty(t, b.mail.devices)
}

func TestABrowserWhoseAnswerWasLostIsNoNewDeviceWhenItSignsInAgain(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	provider, err := url.Parse(b.server.URL)
	require.NoError(t, err)
	br := b.browser()
	br.open(client, oauth2.GenerateVerifier())
	before := br.Jar.Cookies(provider)
	br.signIn(client, "amara")

	lost := b.browser()
	lost.Jar.SetCookies(provider, before)
	lost.signIn(client, "amara")
	require.Zero(t, b.count(`SELECT count(*) FROM river_job WHERE kind = 'identity.account_mail'`))

	b.browser().signIn(client, "amara")
	require.NotNil(t, b.newDevice().GetNewDevice(), "another browser still is one")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM river_job WHERE kind = 'identity.account_mail'`))
}

func TestALetterOfANewDeviceGoesOutWhereItHasSignedOutAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a := b.member("amara")
	require.NoError(t, b.store.StartSession(t.Context(), oidcop.Session{
		SID: newID(), CookieHash: []byte("first"), UID: a.UID, AuthTime: b.clock.Now(), ExpiresAt: b.clock.Now().Add(time.Hour), Device: anyDevice,
	}, false))
	s := oidcop.Session{SID: newID(), CookieHash: []byte("second"), UID: a.UID, AuthTime: b.clock.Now(), ExpiresAt: b.clock.Now().Add(time.Hour), Device: anyDevice}
	require.NoError(t, b.store.StartSession(t.Context(), s, false))
	require.Equal(t, anyDevice.Name, b.newDevice().GetNewDevice().GetDevice())
	require.NoError(t, b.store.EndSession(t.Context(), s.SID, b.clock.Now()))
	_, err := b.store.SignedIn(t.Context(), s.SID)
	require.ErrorIs(t, err, account.ErrUserNotFound)
	_, err = b.db.Pool.Exec(t.Context(), `UPDATE river_job SET state = 'available', finalized_at = NULL, scheduled_at = now() WHERE kind = 'identity.account_mail'`)
	require.NoError(t, err)
	late := b.newDevice()
	require.Equal(t, s.SID.String(), late.GetIdempotencyKey(), "the same letter")
	require.Contains(t, late.GetNewDevice().GetDevice(), "signed out")
}

func TestAProgramThatBringsPasswordsIsADeviceAndItsEndEndsItsTokens(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	tokens, err := b.provider.SignInWithPassword(t.Context(), oidcop.PasswordSignIn{
		ClientID: "desk", Login: "amara", Password: goodPassword, SecretHash: oidcop.SecretHash(deskSecret, "amara", "desk"), Address: here,
	})
	require.NoError(t, err)
	all, err := b.provider.Devices(t.Context(), a.UID, uuid.Nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "desk", all[0].Device.Name)
	require.NoError(t, b.provider.EndDevice(t.Context(), a.UID, all[0].SID))
	_, err = b.provider.Renew(t.Context(), here, "desk", deskSecret, tokens.Refresh)
	require.Error(t, err)
}
