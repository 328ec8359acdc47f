package critical

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
)

// publicLibrary is oidc-client-ts as its makers built it for browsers; npm ci puts it there.
const publicLibrary = "../../../services/identity/client-suite/node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js"

// pocketPage is an app of somebody else's that has nothing but pages. It keeps which addresses of the provider its library asked for,
// and how each was answered.
const pocketPage = `<!doctype html><html lang="en"><title>Pocket</title><link rel="icon" href="data:,"><h1>Pocket</h1><p role="status"></p>
<script src="/oidc-client-ts.js"></script><script>

const keep = new oidc.WebStorageStateStore({ store: sessionStorage })

const manager = new oidc.UserManager({
	authority: %q, client_id: "pocket", redirect_uri: location.origin + "/callback", post_logout_redirect_uri: location.origin + "/",
	scope: "openid profile email offline_access serein.user.read", loadUserInfo: true, automaticSilentRenew: false, userStore: keep, stateStore: keep,
})

const said = document.querySelector("[role=status]"), plain = fetch
window.fetch = async (address, options) => {
	const answer = await plain(address, options)
	sessionStorage.asked = (sessionStorage.asked ?? "") + new URL(address).pathname + " " + answer.status + "\n"
	return answer
}

const member = ({ profile }) => profile.preferred_username + " " + profile.email

const acts = {
	"Sign in": () => manager.signinRedirect(),
	"Renew": async () => {
		const before = await manager.getUser(), after = await manager.signinSilent()
		return "renewed: " + member(after) + [before.access_token !== after.access_token, before.refresh_token !== after.refresh_token]
	},
	"Revoke": async () => {
		const { access_token } = await manager.getUser()
		await manager.revokeTokens()
		const { status } = await plain(await manager.metadataService.getUserInfoEndpoint(), { headers: { Authorization: "Bearer " + access_token } })
		return "revoked: " + status
	},
	"Sign out": () => manager.signoutRedirect({ state: "leaving" }),
}
for (const [name, act] of Object.entries(acts)) {
	const button = document.body.appendChild(document.createElement("button"))
	button.textContent = name
	button.onclick = () => act().then((text) => (said.textContent = text ?? ""), (error) => (said.textContent = name + ": " + (error.error ?? error.message)))
}
if (location.pathname === "/callback")
	manager.signinCallback().then((user) => { if (user) said.textContent = "signed in: " + member(user) }, (error) => (said.textContent = "callback: " + error.message))
else if (new URLSearchParams(location.search).has("state"))
	manager.signoutCallback().then(() => (said.textContent = "signed out"), (error) => (said.textContent = "callback: " + error.message))
</script>`

// pocket serves the app at a separate origin, on another site than the provider's, and registers it.
func pocket(t *testing.T) string {
	t.Helper()
	library, err := os.ReadFile(publicLibrary)
	require.NoError(t, err, "the public client is not installed: run `make parts`")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /oidc-client-ts.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(library)
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, pocketPage, product.Issuer())
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	require.NoError(t, product.AddClient(t.Context(), harness.Client{
		ID: "pocket", Name: "Pocket", Public: true, RedirectURIs: []string{server.URL + "/callback"}, PostLogoutRedirectURIs: []string{server.URL + "/"},
		Scopes: []string{"serein.user.read", "offline_access"},
	}))
	return server.URL
}

// The public oidc-client-ts, unmodified, completes all that discovery names for an app that can keep no secret.
func TestThePublicClientOfBrowsersSignsInRenewsRevokesAndSignsOut(t *testing.T) {
	t.Parallel()
	m, err := product.NewMember(t.Context())
	require.NoError(t, err)
	tab := product.Chromium.Elsewhere(t, pocket(t), browser.Desk)
	signedIn := fmt.Sprintf("signed in: %s %s", m.Username, m.Email)

	tab.Go("/")
	tab.Click("button", "Sign in")
	suite.SignIn(tab, m)
	tab.Click("button", "Allow")
	tab.Text(signedIn)

	tab.Click("button", "Renew")
	tab.Text(fmt.Sprintf("renewed: %s %strue,true", m.Username, m.Email))

	tab.Click("button", "Sign out")
	tab.Text("signed out")
	tab.Click("button", "Sign in")
	suite.SignIn(tab, m) // the provider has forgotten them; what they allowed it knows
	tab.Text(signedIn)

	tab.Click("button", "Revoke")
	tab.Text("revoked: 401")
	tab.IgnoreErrors() // that refusal's status stands in the console
	for _, asked := range []string{"/.well-known/openid-configuration 200", "/oauth/token 200", "/oauth/userinfo 200", "/oauth/revoke 200"} {
		tab.Expect("its library asked for "+asked, fmt.Sprintf(`sessionStorage.asked.includes(%q)`, asked))
	}
}
