package identity_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/rpc"
	"serein.app/services/platform/errs"
	platformrpc "serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// tokenID is an access token's jti.
func tokenID(t *testing.T, raw string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(raw, ".")[1])
	require.NoError(t, err)
	var c struct {
		ID string `json:"jti"`
	}
	require.NoError(t, json.Unmarshal(payload, &c))
	require.NotEmpty(t, c.ID)
	return c.ID
}

// grants is the service's answer over RPC to another service.
func (b *harness) grants(as string) identityv1connect.GrantServiceClient {
	b.t.Helper()
	handlers, err := platformrpc.NewServer(testkit.Verifier(b.t, "identity"), rpc.Policy(), testkit.Telemetry(b.t))
	require.NoError(b.t, err)
	mux := http.NewServeMux()
	mux.Handle(identityv1connect.NewGrantServiceHandler(rpc.NewGrant(b.provider), handlers.Options()...))
	server := httptest.NewServer(mux)
	b.t.Cleanup(server.Close)
	return identityv1connect.NewGrantServiceClient(testkit.Dialer(b.t, as).To("identity", server.URL))
}

func TestTheGrantBehindATokenStandsUntilItEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(b *harness, br *browser, client *rp, token *oauth2.Token){
		"revoked": func(b *harness, _ *browser, _ *rp, token *oauth2.Token) {
			b.clientPost("/oauth/revoke", "companion", serviceSecret, url.Values{"token": {token.AccessToken}})
		},
		"by its refresh token": func(b *harness, _ *browser, _ *rp, token *oauth2.Token) {
			b.clientPost("/oauth/revoke", "companion", serviceSecret, url.Values{"token": {token.RefreshToken}})
		},
		"by signing out": func(b *harness, br *browser, _ *rp, _ *oauth2.Token) {
			br.get(b.server.URL + "/oauth/end-session?client_id=gateway&post_logout_redirect_uri=" + url.QueryEscape(afterSignOut))
		},
		"by a refresh token used twice": func(b *harness, _ *browser, client *rp, token *oauth2.Token) {
			next, err := client.refresh(token.RefreshToken)
			require.NoError(b.t, err)
			_, err = client.refresh(next.RefreshToken)
			require.NoError(b.t, err)
			_, err = client.refresh(token.RefreshToken)
			require.Error(b.t, err)
		},
		"by its age": func(b *harness, _ *browser, _ *rp, _ *oauth2.Token) { b.clock.Advance(oidcop.GrantLife) },
		"with its account": func(b *harness, _ *browser, _ *rp, _ *oauth2.Token) {
			_, err := b.db.Pool.Exec(b.t.Context(), `DELETE FROM accounts`)
			require.NoError(b.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			b.member("amara")
			client, br := b.companion("serein.user.read"), b.browser()
			token := br.signIn(client, "amara")
			ask := func() bool {
				res, err := b.grants("gateway").GetGrant(t.Context(), &identityv1.GetGrantRequest{TokenId: tokenID(t, token.AccessToken)})
				require.NoError(t, err)
				return res.GetStands()
			}
			require.True(t, ask())
			end(b, br, client, token)
			require.False(t, ask())
		})
	}

	t.Run("and one that never was does not", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		for _, id := range []string{"x", newID().String(), newID().String() + ".abc", "'; --"} {
			res, err := b.grants("gateway").GetGrant(t.Context(), &identityv1.GetGrantRequest{TokenId: id})
			require.NoError(t, err)
			require.False(t, res.GetStands(), id)
		}
		_, err := b.grants("billing").GetGrant(t.Context(), &identityv1.GetGrantRequest{TokenId: "x"})
		require.Equal(t, errs.Forbidden, errs.KindOf(err), "the gateway alone asks")
	})
}
