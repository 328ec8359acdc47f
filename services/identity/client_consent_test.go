package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

// asked is a member's browser at the page that asks whether the companion may act for her.
func (b *harness) asked(client *rp, verifier string, extra ...oauth2.AuthCodeOption) (br *browser, p page) {
	b.t.Helper()
	b.member("amara")
	br = b.browser()
	p = br.submit(br.open(client, verifier, extra...), "amara", goodPassword)
	require.Equal(b.t, "/sign-in/consent", p.at.Path)
	return br, p
}

func TestAMemberIsAskedWhetherAnAppMayActForThem(t *testing.T) {
	t.Parallel()

	t.Run("by its name and in plain words, and allows it", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		client, verifier := b.companion("email", "serein.user.read"), oauth2.GenerateVerifier()
		br, p := b.asked(client, verifier)
		require.Contains(t, p.body, "<h1>Allow The Companion to use your account?</h1>")
		require.Contains(t, p.body, "<strong>amara</strong>")
		require.Contains(t, p.body, "<strong>companion.test</strong>")
		for _, words := range []string{"See your email address", "Read your profile, your plan and your credits", "while you’re away"} {
			require.Contains(t, p.body, words)
		}
		require.NotContains(t, p.body, "Change your profile")
		require.NotContains(t, p.body, "<script")
		require.Contains(t, p.header.Get("Content-Security-Policy"), "form-action 'self' https://companion.test;")
		require.Equal(t, p.status, br.get(p.at.String()).status, "a page that can be loaded again")

		answer := br.answer(p, "allow")
		require.Equal(t, http.StatusFound, answer.status, answer.body)
		require.Equal(t, "state-1", answer.location(t).Query().Get("state"))
		_, err := client.Exchange(client.ctx, answer.location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
		require.NoError(t, err)
	})

	t.Run("and refuses it, as the client's answer says", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		client := b.companion("serein.user.read")
		for i, button := range []string{"refuse", "", "ALLOW"} {
			b := b
			if i > 0 {
				b = setup(t).serve()
				client = b.companion("serein.user.read")
			}
			br, p := b.asked(client, oauth2.GenerateVerifier())
			at := br.answer(p, button).location(t)
			require.Equal(t, "companion.test", at.Host)
			require.Equal(t, "access_denied", at.Query().Get("error"))
			require.Equal(t, "state-1", at.Query().Get("state"))
			require.Empty(t, at.Query().Get("code"))
			require.Zero(t, b.count(`SELECT count(*) FROM client_consents`)+b.count(`SELECT count(*) FROM grants`))
			require.Equal(t, "/sign-in/consent", br.open(client, oauth2.GenerateVerifier()).at.Path, "and is asked again")
		}
	})

	t.Run("once, and again when it wants more", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br, p := b.asked(b.companion("serein.user.read"), oauth2.GenerateVerifier())
		require.Equal(t, http.StatusFound, br.answer(p, "allow").status)
		require.Equal(t, http.StatusFound, br.open(b.companion("serein.user.read"), oauth2.GenerateVerifier()).status, "silently")
		require.Equal(t, http.StatusFound, br.open(b.companion(), oauth2.GenerateVerifier()).status, "for less as well")
		more := br.open(b.companion("serein.user.read", "serein.user.write"), oauth2.GenerateVerifier())
		require.Contains(t, more.body, "Change your profile")
		require.Equal(t, http.StatusFound, br.answer(more, "allow").status)
		require.Equal(t, 2, b.count(`SELECT count(*) FROM client_consents`), "a row for each answer")

		b.member("bela")
		other := b.browser()
		require.Equal(t, "/sign-in/consent", other.submit(other.open(b.companion("serein.user.read"), oauth2.GenerateVerifier()), "bela", goodPassword).at.Path, "each for themselves")
		apart := b.rp()
		apart.ClientID, apart.ClientSecret, apart.RedirectURL, apart.Scopes = "other", serviceSecret, "https://other.test/callback", []string{"openid"}
		require.Equal(t, "/sign-in/consent", br.open(apart, oauth2.GenerateVerifier()).at.Path, "and each app for itself")
	})

	t.Run("again with prompt=consent, and not at all with prompt=none", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		client, prompt := b.companion(), func(p string) oauth2.AuthCodeOption { return oauth2.SetAuthURLParam("prompt", p) }
		br, p := b.asked(client, oauth2.GenerateVerifier())
		none := br.open(client, oauth2.GenerateVerifier(), prompt("none")).location(t).Query()
		require.Equal(t, "consent_required", none.Get("error"))
		require.Equal(t, "state-1", none.Get("state"))
		require.Equal(t, http.StatusFound, br.answer(p, "allow").status)
		require.NotEmpty(t, br.open(client, oauth2.GenerateVerifier(), prompt("none")).location(t).Query().Get("code"))
		again := br.open(client, oauth2.GenerateVerifier(), prompt("consent"))
		require.NotEmpty(t, br.answer(again, "allow").location(t).Query().Get("code"))
	})

	t.Run("and is not about our own pages", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		br := b.browser()
		client := b.rp()
		require.Equal(t, http.StatusFound, br.submit(br.open(client, oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "consent")), "amara", goodPassword).status)
		require.Zero(t, b.count(`SELECT count(*) FROM client_consents`))
	})
}

func TestAMemberSeesWhatTheyHaveLetAppsDo(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	br, p := b.asked(b.companion("serein.user.read"), oauth2.GenerateVerifier())
	require.Equal(t, http.StatusFound, br.answer(p, "allow").status)
	b.clock.Advance(time.Minute)
	more := br.open(b.companion("serein.user.read", "serein.user.write"), oauth2.GenerateVerifier())
	require.Equal(t, http.StatusFound, br.answer(more, "allow").status)
	other := b.member("bela")
	amara, err := b.store.ByUsername(t.Context(), "amara", b.clock.Now())
	require.NoError(t, err)
	apps := func(as, uid string) ([]*identityv1.AppConsent, error) {
		a := b.answer()
		res, err := identityv1connect.NewAppServiceClient(testkit.Dialer(t, as).To("identity", a.url)).ListAppConsents(a.as(uid, false), &identityv1.ListAppConsentsRequest{})
		return res.GetConsents(), err
	}

	given, err := apps("gateway", amara.UID.String())
	require.NoError(t, err)
	require.Len(t, given, 2, "each answer, the newest first")
	require.Contains(t, given[0].GetScopes(), "serein.user.write")
	require.NotContains(t, given[1].GetScopes(), "serein.user.write")
	require.Equal(t, "The Companion", given[0].GetName())
	require.Equal(t, time.Minute, given[0].GetGivenAt().AsTime().Sub(given[1].GetGivenAt().AsTime()))

	b.serveWith(func(c []clientConfig) { c[2].ID = "successor" })
	given, err = apps("gateway", amara.UID.String())
	require.NoError(t, err)
	require.Equal(t, "companion", given[0].GetName(), "an app that is not registered any more")

	given, err = apps("gateway", other.UID.String())
	require.NoError(t, err)
	require.Empty(t, given)
	_, err = apps("gateway", "")
	require.Equal(t, errs.Unauthenticated, errs.KindOf(err))
	_, err = apps("billing", amara.UID.String())
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
}

func TestAMemberTakesBackWhatTheyHaveLetAnAppDo(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, verifier := b.companion("serein.user.read"), oauth2.GenerateVerifier()
	br, p := b.asked(client, verifier)
	tokens, err := client.Exchange(client.ctx, br.answer(p, "allow").location(t).Query().Get("code"), oauth2.VerifierOption(verifier))
	require.NoError(t, err)
	waiting := oauth2.GenerateVerifier()
	unused := br.open(client, waiting).location(t).Query().Get("code")
	amara, err := b.store.ByUsername(t.Context(), "amara", b.clock.Now())
	require.NoError(t, err)
	a := b.answer()
	apps := identityv1connect.NewAppServiceClient(testkit.Dialer(t, "gateway").To("identity", a.url))
	revoke := func(uid, client string) []*identityv1.AppConsent {
		res, err := apps.RevokeAppConsents(a.as(uid, false), &identityv1.RevokeAppConsentsRequest{ClientId: client})
		require.NoError(t, err)
		return res.GetConsents()
	}

	other := b.member("bela")
	require.Empty(t, revoke(other.UID.String(), "companion"), "nothing of another member's")
	require.Len(t, revoke(amara.UID.String(), "other"), 1, "nor of another app's")
	require.Zero(t, b.count(`SELECT count(*) FROM grants WHERE revoked_at IS NOT NULL`))

	left := revoke(amara.UID.String(), "companion")
	require.Len(t, left, 2)
	require.True(t, left[0].GetRevoked())
	require.Empty(t, left[0].GetScopes())
	require.Contains(t, left[1].GetPermissions(), "Read your profile, your plan and your credits")
	require.Len(t, revoke(amara.UID.String(), "companion"), 2, "once is enough")

	tokens.Expiry = time.Unix(1, 0)
	_, err = client.TokenSource(client.ctx, tokens).Token()
	require.ErrorContains(t, err, "invalid_grant", "its refresh token")
	_, err = client.Exchange(client.ctx, unused, oauth2.VerifierOption(waiting))
	require.ErrorContains(t, err, "invalid_grant", "and a code that it has not exchanged")
	again := br.open(client, verifier)
	require.Equal(t, "/sign-in/consent", again.at.Path, "it has to ask again")
	require.Equal(t, http.StatusFound, br.answer(again, "allow").status)
	require.Equal(t, http.StatusFound, br.open(client, verifier).status, "and is let in as before")
	require.Equal(t, http.StatusFound, br.open(b.rp(), oauth2.GenerateVerifier()).status, "the member stays signed in")

	_, err = apps.RevokeAppConsents(a.as(amara.UID.String(), false), &identityv1.RevokeAppConsentsRequest{})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
	_, err = identityv1connect.NewAppServiceClient(testkit.Dialer(t, "billing").To("identity", a.url)).
		RevokeAppConsents(a.as(amara.UID.String(), false), &identityv1.RevokeAppConsentsRequest{ClientId: "companion"})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
}

func TestNobodyElseAnswersForAMember(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client := b.companion("serein.user.read")
	br, p := b.asked(client, oauth2.GenerateVerifier())
	allowed := p.fields()
	allowed.Set("answer", "allow")
	changed := func(change func(url.Values)) url.Values {
		v, _ := url.ParseQuery(allowed.Encode())
		change(v)
		return v
	}
	for name, values := range map[string]url.Values{
		"without a token": changed(func(v url.Values) { v.Del("token") }),
		"with the sign-in's": changed(func(v url.Values) {
			v.Set("token", br.open(b.rp(), oauth2.GenerateVerifier(), oauth2.SetAuthURLParam("prompt", "login")).fields().Get("token"))
		}),
		"of another request": changed(func(v url.Values) {
			v.Set("request", br.open(client, oauth2.GenerateVerifier()).fields().Get("request"))
		}),
		"of none": changed(func(v url.Values) { v.Set("request", newID().String()) }),
	} {
		require.GreaterOrEqual(t, br.post("/sign-in/consent", values).status, 400, name)
	}
	another := b.browser()
	another.open(client, oauth2.GenerateVerifier())
	require.Equal(t, http.StatusBadRequest, another.post("/sign-in/consent", allowed).status, "in another browser")
	require.Equal(t, http.StatusBadRequest, another.get(p.at.String()).status)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.server.URL+"/sign-in/consent", strings.NewReader(allowed.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, br.do(req).status, "from another site")
	require.Zero(t, b.count(`SELECT count(*) FROM client_consents`))
	require.Equal(t, http.StatusFound, br.post("/sign-in/consent", allowed).status)
}

// The page asks the member who has signed in to this request; an older session must not replace a sign-in that the client asked for.
func TestTheQuestionComesAfterTheSignInThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]oauth2.AuthCodeOption{
		"a fresh sign-in": oauth2.SetAuthURLParam("prompt", "login"),
		"a recent one":    oauth2.SetAuthURLParam("max_age", "60"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			b.member("amara")
			br, client := b.browser(), b.companion("serein.user.read")
			br.signIn(b.rp(), "amara")
			b.clock.Advance(5 * time.Minute)
			start := br.open(client, oauth2.GenerateVerifier(), option)
			require.Equal(t, "/sign-in", start.at.Path)
			skipped := br.get(strings.Replace(start.at.String(), "/sign-in", "/sign-in/consent", 1))
			require.Equal(t, "/sign-in", skipped.at.Path)
			require.Contains(t, skipped.body, `type="password"`)
			require.Equal(t, http.StatusFound, br.answer(br.submit(skipped, "amara", goodPassword), "allow").status)
		})
	}
	t.Run("and nobody who has not signed in is asked", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		br := b.browser()
		start := br.open(b.companion(), oauth2.GenerateVerifier())
		require.Equal(t, "/sign-in", br.get(strings.Replace(start.at.String(), "/sign-in", "/sign-in/consent", 1)).at.Path)
	})
}

func TestAnAppStaysSignedInOnlyWhereItMayAndAsks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask  bool
		may  bool
		gets bool
	}{"it may and asks": {true, true, true}, "it may and does not ask": {false, true, false}, "it asks and may not": {true, false, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			b.serveWith(func(clients []clientConfig) {
				for i := range clients {
					if clients[i].ID == "companion" && !c.may {
						clients[i].Scopes = []string{"serein.user.read"}
					}
				}
			})
			b.member("amara")
			client := b.companion("serein.user.read")
			if !c.ask {
				client.Scopes = []string{"openid", "serein.user.read"}
			}
			token := b.browser().signIn(client, "amara")
			require.Equal(t, c.gets, token.RefreshToken != "")
			require.NoError(t, b.proveAPI(client.ctx, token.AccessToken))
			require.Equal(t, c.gets, strings.Contains(claimsOf(t, token.AccessToken).Scope, "offline_access"))
			if !c.gets {
				require.Zero(t, b.count(`SELECT count(*) FROM refresh_tokens`))
				_, err := client.userinfo(token)
				require.NoError(t, err, "its grant stands")
				require.Equal(t, http.StatusOK, b.clientPost("/oauth/revoke", "companion", serviceSecret, url.Values{"token": {token.AccessToken}}).status)
				_, err = client.userinfo(token)
				require.Error(t, err, "and can be revoked")
			}
		})
	}

	t.Run("and not for longer than it may", func(t *testing.T) {
		t.Parallel()
		b := setup(t).serve()
		b.member("amara")
		client := b.companion("serein.user.read")
		token := b.browser().signIn(client, "amara")
		b.serveWith(func(clients []clientConfig) {
			for i := range clients {
				if clients[i].ID == "companion" {
					clients[i].Scopes = []string{"serein.user.read"}
				}
			}
		})
		_, err := client.refresh(token.RefreshToken)
		require.ErrorContains(t, err, "invalid_grant")
	})
}
