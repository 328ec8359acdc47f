package identity_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
	"pgregory.net/rapid"

	"serein.app/services/identity/internal/account"
)

// try gives a password from an address, in a browser that nobody knows.
func (b *harness) try(login, password, address string) error {
	_, err := b.accounts.Authenticate(b.t.Context(), account.Attempt{Login: login, Password: password, Address: address})
	return err
}

func TestGuessingIsThrottled(t *testing.T) {
	t.Parallel()

	t.Run("at a name from one address, also when it does not exist", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, login := range []string{"amara", "nobody"} {
			var checked atomic.Int32
			var group sync.WaitGroup
			for range 20 {
				group.Go(func() {
					if !isTooMany(b.try(login, "guess", "192.0.2.1")) {
						checked.Add(1)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 10, checked.Load(), login)
		}
		require.ErrorIs(t, b.try("amara", goodPassword, "192.0.2.1"), account.ErrTooManyRequests, "there the right password waits as well")
		b.clock.Advance(31 * time.Second)
		require.NoError(t, b.try("amara", goodPassword, "192.0.2.1"), "a person waits half a minute")
		require.ErrorIs(t, b.try("amara", "guess", "192.0.2.1"), account.ErrNotAuthorized, "and success forgets the guesses")
	})

	t.Run("the pause doubles", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 10 {
			require.ErrorIs(t, b.try("nobody", "guess", "192.0.2.1"), account.ErrNotAuthorized)
		}
		for _, pause := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
			b.clock.Advance(pause - time.Second)
			require.ErrorIs(t, b.try("nobody", "guess", "192.0.2.1"), account.ErrTooManyRequests, pause)
			b.clock.Advance(time.Second)
			require.ErrorIs(t, b.try("nobody", "guess", "192.0.2.1"), account.ErrNotAuthorized, pause)
		}
	})

	t.Run("from an address, over however many accounts", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for i := range 100 {
			require.ErrorIs(t, b.try(fmt.Sprint("user", i), "guess", "192.0.2.1"), account.ErrNotAuthorized)
		}
		require.ErrorIs(t, b.try("amara", goodPassword, "192.0.2.1"), account.ErrTooManyRequests)
		require.NoError(t, b.try("amara", goodPassword, "192.0.2.2"))
	})

	t.Run("at an account from everywhere, under all its names, also when it does not exist", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, names := range [][]string{{"amara", "amara@example.org"}, {"nobody"}} {
			for i := range 100 {
				require.ErrorIs(t, b.try(names[i%len(names)], "guess", fmt.Sprint("198.51.100.", i)), account.ErrNotAuthorized, i)
			}
			for _, name := range names {
				address := "203.0.113." + name
				require.ErrorIs(t, b.try(name, "guess", address), account.ErrNotAuthorized, "each address has one try")
				require.ErrorIs(t, b.try(name, "guess", address), account.ErrTooManyRequests, "and then waits")
			}
		}
		require.ErrorIs(t, b.try("amara", "guess", "203.0.113.amara@example.org"), account.ErrTooManyRequests, "whatever name it is given")
		require.NoError(t, b.try("amara@example.org", goodPassword, "192.0.2.9"), "its person gets in")
	})

	t.Run("the page says so", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br := b.browser()
		start := br.open(b.rp(), oauth2.GenerateVerifier())
		for range 10 {
			br.submit(start, "nobody", "guess")
		}
		p := br.submit(start, "nobody", "guess")
		require.Equal(t, http.StatusTooManyRequests, p.status)
		require.Contains(t, p.body, "Too many attempts.")
	})
}

// strangers guess at amara from many addresses for a day, at every moment that a program would.
func (b *harness) strangersGuess(rt *rapid.T, names []string) (checked, addresses int) {
	addresses = rapid.IntRange(1, 12).Draw(rt, "addresses")
	prefix := uuid.NewString()
	for _, pause := range []time.Duration{0, 31 * time.Second, time.Minute, 5 * time.Minute, 9 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour, 6 * time.Hour} {
		b.clock.Advance(pause)
		for i := range addresses {
			for range rapid.IntRange(1, 15).Draw(rt, "guesses") {
				name := rapid.SampledFrom(names).Draw(rt, "name")
				if !isTooMany(b.try(name, "guess", fmt.Sprint(prefix, i))) {
					checked++
				}
			}
		}
	}
	return checked, addresses
}

func TestAStrangerCannotKeepAMemberOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(rt *rapid.T) {
		username := "m" + strings.ReplaceAll(uuid.NewString(), "-", "")[:20]
		a := b.member(username)
		names := []string{username, username + "@example.org"}
		device := account.Device{UID: a.UID, ID: "laptop"}
		checked, addresses := b.strangersGuess(rt, names)
		require.LessOrEqual(rt, checked, 100+9*addresses, "guesses of a day")

		for i := range rapid.IntRange(0, 9).Draw(rt, "slips on the known device") {
			_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: username, Password: fmt.Sprint("slip", i), Address: "192.0.2.1", Device: device})
			require.ErrorIs(rt, err, account.ErrNotAuthorized)
		}
		_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: username, Password: goodPassword, Address: "192.0.2.1", Device: device})
		require.NoError(rt, err, "a known device, at once")
		fresh := uuid.NewString()
		name := rapid.SampledFrom(names).Draw(rt, "name")
		if rapid.Bool().Draw(rt, "a slip from a fresh address") {
			require.ErrorIs(rt, b.try(name, "slip", fresh), account.ErrNotAuthorized)
			b.clock.Advance(15 * time.Minute)
		}
		require.NoError(rt, b.try(name, goodPassword, fresh), "a fresh address, at once or a quarter of an hour after a slip")
	})
}

func TestAKnownDeviceIsItsAccountsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.member("amara")
	nils := b.member("nils")
	device := account.Device{UID: nils.UID, ID: "laptop"}
	guess := func(login string) error {
		_, err := b.accounts.Authenticate(t.Context(), account.Attempt{Login: login, Password: "guess", Address: "192.0.2.1", Device: device})
		return err
	}
	for range 10 {
		require.ErrorIs(t, guess("amara"), account.ErrNotAuthorized)
	}
	require.ErrorIs(t, guess("amara"), account.ErrTooManyRequests, "another's account is guessed at as from anywhere")
	for range 10 {
		require.ErrorIs(t, guess("nils"), account.ErrNotAuthorized)
	}
	require.ErrorIs(t, guess("nils"), account.ErrTooManyRequests, "and a stolen cookie guesses no faster")
	require.NoError(t, b.try("nils", goodPassword, "192.0.2.2"))
}

func TestABrowserThatSignedInIsKnownAfterSignOutUntilTheSecretChangesOrHalfAYear(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	br.signIn(client, "amara")
	shutOut := func() {
		stranger := b.browser()
		start := stranger.open(client, oauth2.GenerateVerifier())
		for range 11 {
			stranger.submit(start, "amara", "guess")
		}
		require.Equal(t, http.StatusTooManyRequests, stranger.submit(start, "amara", goodPassword).status, "a stranger at the same address has used it up")
	}
	again := func() int {
		require.Contains(t, br.get(b.server.URL+"/oauth/end-session?client_id=gateway").body, "signed out")
		return br.submit(br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "login")), "amara", goodPassword).status
	}
	shutOut()
	require.Equal(t, http.StatusFound, again())
	b.clock.Advance(179 * 24 * time.Hour)
	shutOut()
	require.Equal(t, http.StatusFound, again(), "each sign-in renews it")
	b.clock.Advance(180 * 24 * time.Hour)
	shutOut()
	require.Equal(t, http.StatusTooManyRequests, again())
	b.clock.Advance(time.Hour)
	require.Equal(t, http.StatusFound, again())
	shutOut()
	b.browserSecret = "another-browser-secret-0123456789-01"
	b.serveWith(func([]clientConfig) {})
	require.Equal(t, http.StatusTooManyRequests, again(), "another secret makes every browser unknown")
}

func TestTheDeviceCookieIsHiddenAndBound(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	a := b.member("amara")
	br := b.browser()
	p := br.submit(br.open(b.rp(), oauth2.GenerateVerifier()), "amara", goodPassword)
	var cookie string
	for _, line := range p.header.Values("Set-Cookie") {
		if strings.HasPrefix(line, "__Host-serein-device=") {
			cookie = line
		}
	}
	for _, part := range []string{"HttpOnly", "Secure", "SameSite=Lax", "Path=/", "Max-Age=15552000"} {
		require.Contains(t, cookie, part)
	}
	require.NotContains(t, cookie, "Domain")
	require.NotContains(t, cookie, a.UID.String())
}

// F2 for codes: who knows a fresh username neither uses up its owner's tries nor their letters.
func TestAStrangerElsewhereDoesNotKeepANewcomerFromConfirming(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	code := b.nextMail().GetConfirmationCode().GetCode()
	const elsewhere = "198.51.100.7"
	for range 30 {
		_ = b.accounts.Confirm(t.Context(), elsewhere, "amara", wrongCode(code))
	}
	require.ErrorIs(t, b.accounts.Confirm(t.Context(), elsewhere, "amara", code), account.ErrLimitExceeded)
	require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code))
}

func TestAStrangersLettersLeaveThoseOfTheNewcomer(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	b.nextMail()
	const elsewhere = "198.51.100.7"
	for range 5 {
		b.clock.Advance(time.Minute)
		require.NoError(t, b.accounts.Resend(t.Context(), elsewhere, "amara"))
		b.nextMail()
	}
	b.clock.Advance(time.Minute)
	require.ErrorIs(t, b.accounts.Resend(t.Context(), elsewhere, "amara"), account.ErrLimitExceeded)
	require.NoError(t, b.accounts.ResendProved(t.Context(), here, "amara"), "a caller with the password has a separate count of letters")
	require.NoError(t, b.confirmProved("amara", b.nextMail().GetConfirmationCode().GetCode()))
}

// confirmProved gives the code as somebody who has given the password.
func (b *harness) confirmProved(username, code string) error {
	_, err := b.accounts.ConfirmProved(b.t.Context(), username, code)
	return err
}

func TestAStrangerCannotUseUpTheTriesOfWhoeverGaveThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	code := b.nextMail().GetConfirmationCode().GetCode()
	for range 30 {
		_ = b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code))
	}
	require.ErrorIs(t, b.accounts.Confirm(t.Context(), here, "amara", code), account.ErrLimitExceeded, "strangers have had theirs")
	for range 4 {
		require.ErrorIs(t, b.confirmProved("amara", wrongCode(code)), account.ErrCodeMismatch)
	}
	require.NoError(t, b.confirmProved("amara", code))
}

func TestWhoeverGaveThePasswordHasFiveTriesToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.accounts.SignUp(t.Context(), form("amara", "amara@example.org"))
	require.NoError(t, err)
	code := b.nextMail().GetConfirmationCode().GetCode()
	for range 5 {
		require.ErrorIs(t, b.confirmProved("amara", wrongCode(code)), account.ErrCodeMismatch)
	}
	require.ErrorIs(t, b.confirmProved("amara", code), account.ErrLimitExceeded)
	b.clock.Advance(time.Minute)
	require.NoError(t, b.accounts.Resend(t.Context(), here, "amara"))
	require.NoError(t, b.confirmProved("amara", b.nextMail().GetConfirmationCode().GetCode()), "a fresh code has fresh tries")
}

func isTooMany(err error) bool {
	return err != nil && strings.Contains(err.Error(), "TOO_MANY_REQUESTS")
}
