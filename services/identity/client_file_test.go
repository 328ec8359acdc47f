package identity_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/testkit"
)

// clientFile is a file of clients that the running provider follows.
func (b *harness) clientFile() (write func(change func([]clientConfig) []clientConfig)) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "clients.json")
	write = func(change func([]clientConfig) []clientConfig) {
		raw, err := json.Marshal(change(clients()))
		require.NoError(b.t, err)
		require.NoError(b.t, os.WriteFile(path+".new", raw, 0o600))
		require.NoError(b.t, os.Rename(path+".new", path))
	}
	write(func(c []clientConfig) []clientConfig { return c })
	registered := b.openClients(path)
	run(b.t, func(ctx context.Context) error { return registered.Follow(ctx, 5*time.Millisecond) })
	b.serveClients(registered)
	return write
}

func TestAClientThatIsAddedToTheFileIsTakenWithoutARestart(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	write := b.clientFile()
	b.member("amara")
	guest := b.pocket()
	guest.ClientID, guest.RedirectURL = "guest", "https://guest.test/callback"
	require.Equal(t, http.StatusBadRequest, b.browser().open(guest, oauth2.GenerateVerifier()).status)
	write(func(c []clientConfig) []clientConfig {
		return append(c, clientConfig{ID: "guest", Public: true, RedirectURIs: []string{"https://guest.test/callback"}, Scopes: []string{"serein.user.read", "offline_access"}})
	})
	require.Eventually(t, func() bool {
		return b.browser().open(guest, oauth2.GenerateVerifier()).status == http.StatusOK
	}, testkit.Patience, 10*time.Millisecond)
	guest.verify(t, b.browser().signIn(guest, "amara"))
}

func TestAClientsSecretIsReplacedInTheFileWithoutARestartAndWithoutASignOut(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	write := b.clientFile()
	b.member("amara")
	const fresh = "gateway-secret-that-came-later-01234"
	before, after := b.rp(), b.rp()
	after.ClientSecret = fresh
	token := b.browser().signIn(before, "amara")
	write(func(c []clientConfig) []clientConfig {
		c[0].Secret, c[0].PreviousSecret = fresh, gatewaySecret
		return c
	})
	require.Eventually(t, func() bool {
		renewed, err := after.refresh(token.RefreshToken)
		if err == nil {
			token = renewed
		}
		return err == nil
	}, testkit.Patience, 10*time.Millisecond)
	token, err := before.refresh(token.RefreshToken)
	require.NoError(t, err, "the previous one proves the client as well")
	write(func(c []clientConfig) []clientConfig { c[0].Secret = fresh; return c })
	require.Eventually(t, func() bool {
		return b.clientPost("/oauth/token", "gateway", gatewaySecret, nil).status == http.StatusUnauthorized
	}, testkit.Patience, 10*time.Millisecond, "the previous secret is forgotten")
	_, err = after.refresh(token.RefreshToken)
	require.NoError(t, err)
}

func TestWhatAClientHoldsEndsWhenItIsTakenOutOfTheFile(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	write := b.clientFile()
	b.member("amara")
	app, br := b.pocket(), b.browser()
	token := br.signIn(app, "amara")
	waiting := b.browser().open(app, oauth2.GenerateVerifier())
	write(func(c []clientConfig) []clientConfig { return c[:4] })
	require.Eventually(t, func() bool { _, err := app.userinfo(token); return err != nil }, testkit.Patience, 10*time.Millisecond)
	_, err := app.refresh(token.RefreshToken)
	require.ErrorContains(t, err, "invalid_client")
	require.Contains(t, b.browser().submit(waiting, "amara", goodPassword).body, "Please start again", "a sign-in that had begun")
	write(func(c []clientConfig) []clientConfig { return c })
	require.Eventually(t, func() bool { _, err := app.userinfo(token); return err == nil }, testkit.Patience, 10*time.Millisecond,
		"the member granted it; the file only says who may ask")
}
