package identity_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
)

// events takes the security log's lines, as "event outcome".
func (l *logged) events(t *testing.T) (events []string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.out.String()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		if record["msg"] == "security" {
			events = append(events, fmt.Sprint(record["event"], " ", record["outcome"]))
		}
	}
	l.out.Reset()
	return events
}

func TestEachOfTheseIsOneLineThatNamesNobody(t *testing.T) {
	t.Parallel()
	out := &logged{}
	tel, err := telemetry.SetupTo(t.Context(), "identity", out)
	require.NoError(t, err)
	b := setup(t)
	b.log = tel.Log
	b.security, err = seclog.New(tel, "a-secret-of-32-characters-or-more", b.clock.Now)
	require.NoError(t, err)
	b.accounts = b.newAccounts()
	b.serve()
	client, br := b.rp(), b.browser()
	var all strings.Builder
	step := func(want string, do func()) {
		t.Helper()
		do()
		out.mu.Lock()
		all.WriteString(out.out.String())
		out.mu.Unlock()
		require.Equal(t, strings.Split(want, ", "), out.events(t))
		b.clock.Advance(2 * time.Second)
	}
	in := form("amara", "amara@example.org")
	in.Address = "192.0.2.77"
	var code string
	step("sign_up success", func() {
		_, err := b.accounts.SignUp(t.Context(), in)
		require.NoError(t, err)
		code = b.nextMail().GetConfirmationCode().GetCode()
	})
	step("sign_up failure", func() {
		taken := form("amara", "nils@example.org")
		taken.Password = "another four unrelated pebbles"
		_, err := b.accounts.SignUp(t.Context(), taken)
		require.ErrorIs(t, err, account.ErrUsernameExists)
	})
	step("sign_in unconfirmed", func() { require.ErrorIs(t, b.try("amara", goodPassword, "192.0.2.77"), account.ErrNotConfirmed) })
	step("confirmation failure", func() { require.Error(t, b.accounts.Confirm(t.Context(), here, "amara", wrongCode(code))) })
	step("confirmation success", func() { require.NoError(t, b.accounts.Confirm(t.Context(), here, "amara", code)) })
	step("sign_in failure", func() { require.Error(t, b.try("amara@example.org", "a wrong secret guess", "192.0.2.77")) })
	var token *oauth2.Token
	step("sign_in success, new_device success", func() { token = br.signIn(client, "amara") })
	var again *oauth2.Token
	step("sign_in success, new_device success", func() { again = b.browser().signIn(client, "amara") })
	step("token reused", func() {
		_, err := client.refresh(again.RefreshToken)
		require.NoError(t, err)
		b.clock.Advance(oidcop.RefreshGrace + time.Second)
		_, err = client.refresh(again.RefreshToken)
		require.Error(t, err)
	})
	step("sign_out success", func() {
		br.get(b.server.URL + "/oauth/end-session?client_id=gateway&post_logout_redirect_uri=" + url.QueryEscape(afterSignOut))
	})
	for range 10 {
		_ = b.try("nobody", "guess", "192.0.2.78")
	}
	out.events(t)
	step("sign_in locked", func() { require.ErrorIs(t, b.try("nobody", "guess", "192.0.2.78"), account.ErrTooManyRequests) })

	for _, never := range []string{"amara", "Amara", "Lindqvist", "nils", "nobody", "example.org", "192.0.2.", "127.0.0.1", goodPassword, "guess", code, token.AccessToken, token.RefreshToken, again.RefreshToken} {
		require.NotContains(t, all.String(), never)
	}
}
