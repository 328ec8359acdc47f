package identity_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity"
	"serein.app/services/identity/internal/keys"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

func TestReplacingTheSecretOfSigningKeysEndsNoTokenAndNoSession(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client, br := b.rp(), b.browser()
	token := br.signIn(client, "amara")
	ring := func(secret, previous string) *keys.Ring {
		r, err := keys.New(b.store, secret, previous, b.clock.Now)
		require.NoError(t, err)
		return r
	}
	const fresh = "test-key-secret-that-came-later-0123"

	b.ring = ring(fresh, keySecret)
	b.serveWith(func([]clientConfig) {})
	client.verify(t, token)
	_, err := client.userinfo(token)
	require.NoError(t, err)
	renewed, err := client.refresh(token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, keyOf(t, token), keyOf(t, renewed), "the key that signed before signs on")
	_, err = ring(fresh, "").Signing(t.Context(), keys.ES256)
	require.ErrorContains(t, err, "KEY_ENCRYPTION_SECRET", "the previous secret is forgotten")

	b.clock.Advance(keys.Age)
	require.NoError(t, b.ring.Rotate(t.Context()))
	next, err := ring(fresh, "").Signing(t.Context(), keys.ES256)
	require.NoError(t, err, "what is sealed now is sealed with the current secret")
	require.NotEqual(t, keyOf(t, token), next.ID)
	_, err = ring(keySecret, "").Signing(t.Context(), keys.ES256)
	require.Error(t, err, "and with no other")
}

// Both replicas have both secrets, in either order: step 2 of the replacement is under way.
func TestARefreshRepeatedWhileTheSecretOfBrowsersIsReplacedGivesTheSameSuccessor(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	client := b.rp()
	token := b.browser().signIn(client, "amara")
	const fresh = "browser-secret-that-came-later-0123"
	old := b.browserSecret
	for _, secrets := range [][2]config.Secret{{fresh, old}, {old, fresh}} {
		b.browserSecret, b.browserSecretPrevious = secrets[1], secrets[0]
		b.serveWith(func([]clientConfig) {})
		first, err := client.refresh(token.RefreshToken)
		require.NoError(t, err)
		b.browserSecret, b.browserSecretPrevious = secrets[0], secrets[1]
		b.serveWith(func([]clientConfig) {})
		again, err := client.refresh(token.RefreshToken)
		require.NoError(t, err, "the answer was lost, and the other replica was asked")
		require.Equal(t, first.RefreshToken, again.RefreshToken)
		token = again
	}
	_, err := client.refresh(token.RefreshToken)
	require.NoError(t, err, "and the session goes on")

	b.browserSecret, b.browserSecretPrevious = fresh, ""
	b.serveWith(func([]clientConfig) {})
	_, err = client.refresh(token.RefreshToken)
	require.ErrorContains(t, err, "invalid_grant", "the previous secret is forgotten: this is another successor")
}

func TestReplacingAClientsSecretEndsNoSessionAndRefusesNoCall(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	b.member("amara")
	const fresh = "gateway-secret-that-came-later-01234"
	before, after := b.rp(), b.rp()
	after.ClientSecret = fresh
	token := b.browser().signIn(before, "amara")
	_, err := after.refresh(token.RefreshToken)
	require.Error(t, err, "a secret that is not registered yet")

	b.serveWith(func(c []clientConfig) { c[0].Secret, c[0].PreviousSecret = fresh, gatewaySecret })
	token, err = before.refresh(token.RefreshToken)
	require.NoError(t, err, "a client that still uses the secret before")
	token, err = after.refresh(token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, b.clientPost("/oauth/revoke", "gateway", "", url.Values{"token": {token.AccessToken}}).status)
	require.Equal(t, http.StatusUnauthorized, b.clientPost("/oauth/revoke", "gateway", serviceSecret, url.Values{"token": {token.AccessToken}}).status)

	b.serveWith(func(c []clientConfig) { c[0].Secret = fresh })
	_, err = before.refresh(token.RefreshToken)
	var refused *oauth2.RetrieveError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "invalid_client", refused.ErrorCode, "the previous secret is forgotten")
	_, err = after.refresh(token.RefreshToken)
	require.NoError(t, err, "and the session goes on")
}

// The service itself, through its configuration.
func TestAServiceThatStartsWithNewSecretsTakesWhatTheOldOnesMade(t *testing.T) {
	t.Parallel()
	mail := newMailbox()
	cfg, internal := serviceConfig(t, fakeMail(t, mail), natstest.New(t).URL)
	signUps := identityv1connect.NewSignUpServiceClient(testkit.Dialer(t, "gateway").To("identity", internal))
	confirm := func(t *testing.T, username, code string) error {
		t.Helper()
		_, err := signUps.ConfirmSignUp(t.Context(), &identityv1.ConfirmSignUpRequest{Username: username, Code: code})
		return err
	}
	codes := map[string]string{}
	t.Run("before", func(t *testing.T) {
		runs(t, cfg, internal)
		for _, username := range []string{"amara", "bela"} {
			_, err := signUps.SignUp(t.Context(), &identityv1.SignUpRequest{
				Username: username, Email: username + "@example.org", GivenName: "Amara", FamilyName: "Lindqvist",
				Password: goodPassword, AgeConfirmed: true, TermsVersion: shownTexts,
			})
			require.NoError(t, err)
			codes[username] = (&harness{t: t, mail: mail}).nextMail().GetConfirmationCode().GetCode()
		}
	})
	cfg.CodeSecret, cfg.CodeSecretPrevious = "code-secret-that-came-later-0123456", cfg.CodeSecret
	cfg.KeyEncryptionSecret, cfg.KeyEncryptionSecretPrevious = "key-secret-that-came-later-01234567", cfg.KeyEncryptionSecret
	t.Run("while both are there", func(t *testing.T) {
		runs(t, cfg, internal) // ready: the signing key could be opened
		require.NoError(t, confirm(t, "amara", codes["amara"]))
	})
	cfg.CodeSecretPrevious = ""
	t.Run("after the previous one is taken out", func(t *testing.T) {
		runs(t, cfg, internal)
		require.Equal(t, "CODE_MISMATCH", errs.From(confirm(t, "bela", codes["bela"])).Word())
	})
}

func TestAMailboxHasItsOneTrialWhateverSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	mail := newMailbox()
	cfg, internal := serviceConfig(t, fakeMail(t, mail), natstest.New(t).URL)
	signUps := identityv1connect.NewSignUpServiceClient(testkit.Dialer(t, "gateway").To("identity", internal))
	join := func(t *testing.T, username, email string) {
		t.Helper()
		runs(t, cfg, internal)
		_, err := signUps.SignUp(t.Context(), &identityv1.SignUpRequest{
			Username: username, Email: email, GivenName: "Amara", FamilyName: "Lindqvist",
			Password: goodPassword, AgeConfirmed: true, TermsVersion: shownTexts,
		})
		require.NoError(t, err)
		code := (&harness{t: t, mail: mail}).nextMail().GetConfirmationCode().GetCode()
		_, err = signUps.ConfirmSignUp(t.Context(), &identityv1.ConfirmSignUpRequest{Username: username, Code: code})
		require.NoError(t, err)
	}
	t.Run("before", func(t *testing.T) { join(t, "amara", "amara@gmail.com") })
	cfg.CodeSecret, cfg.BrowserSecret = "code-secret-that-came-later-0123456", "browser-secret-that-came-later-0123"
	cfg.KeyEncryptionSecret, cfg.KeyEncryptionSecretPrevious = "key-secret-that-came-later-01234567", cfg.KeyEncryptionSecret
	t.Run("after", func(t *testing.T) { join(t, "bela", "a.mara+2@googlemail.com") })

	pool, err := pgxpool.New(t.Context(), cfg.Database.URL.Reveal())
	require.NoError(t, err)
	defer pool.Close()
	var keys [][]byte
	for _, payload := range (&harness{t: t, db: testkit.DB{Pool: pool}}).outbox("serein.identity.user.confirmed.v1") {
		event := new(eventsv1.UserConfirmed)
		require.NoError(t, payload.UnmarshalTo(event))
		keys = append(keys, event.GetMailboxKey())
	}
	require.Len(t, keys, 2)
	require.Equal(t, keys[0], keys[1], "by which billing gives one trial")
}

func TestPreviousSecretsComeFromTheEnvironmentAndAreNoShorter(t *testing.T) {
	t.Parallel()
	names := []string{"CODE_SECRET_PREVIOUS", "KEY_ENCRYPTION_SECRET_PREVIOUS", "BROWSER_SECRET_PREVIOUS"}
	short := map[string]string{}
	for _, name := range names {
		short[name] = "short"
	}
	_, err := config.Load[identity.Config](short)
	for _, name := range names {
		require.ErrorContains(t, err, name+": a secret needs")
	}
}
