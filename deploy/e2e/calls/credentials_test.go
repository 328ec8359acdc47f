package calls

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
)

func TestCredentialsThatProveNothingAreRefused(t *testing.T) {
	t.Parallel()
	conn := dial(t, "billing")
	good, err := product.Token(t.Context(), stack.ReportsClient, ledgerScope)
	require.NoError(t, err)
	soon := time.Now().Add(time.Minute)
	for name, token := range map[string]string{
		"none":                 "",
		"not a token":          "open-sesame",
		"a cut signature":      good[:len(good)-20],
		"no signature":         unsigned(good),
		"expired a minute ago": forged(t, "gateway", "billing", time.Now().Add(-time.Minute)),
		"good for a year":      forged(t, "gateway", "billing", time.Now().AddDate(1, 0, 0)),
		"meant for another":    forged(t, "gateway", "mail", soon),
		"another's signature":  forged(t, "mail", "billing", soon),
	} {
		_, err := harness.ListLedger(harness.Bearer(t.Context(), token), conn, uuid.NewString())
		require.Equal(t, codes.Unauthenticated, status.Code(err), name)
		requireStatus(t, err, codes.Unauthenticated, "UNAUTHENTICATED")
	}
	_, err = harness.ListLedger(harness.Bearer(t.Context(), good), conn, uuid.NewString())
	require.NoError(t, err, "the good one still is")
}

func TestAWrongSecretGetsNoToken(t *testing.T) {
	t.Parallel()
	res, err := product.NewBrowser().PostForm(product.Issuer()+"/oauth/token", url.Values{
		"grant_type": {"client_credentials"}, "scope": {ledgerScope},
		"client_id": {stack.ReportsClient}, "client_secret": {product.ClientSecret(stack.OtherClient)},
	})
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	require.Equal(t, http.StatusUnauthorized, res.StatusCode)
}

// requireStatus demands a code and the stable reason beside it.
func requireStatus(t *testing.T, err error, code codes.Code, reason string) {
	t.Helper()
	answer, ok := status.FromError(err)
	require.True(t, ok, "%v", err)
	require.Equal(t, code, answer.Code(), answer.Message())
	for _, detail := range answer.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			require.Equal(t, reason, info.GetReason())
			return
		}
	}
	require.Fail(t, "the refusal has no reason", "%v", err)
}

// forged is a token of the gateway with the gateway's own signature, or another's.
func forged(t *testing.T, service, audience string, expires time.Time) string {
	t.Helper()
	seed, err := base64.StdEncoding.DecodeString(product.ServiceKey(service).Reveal())
	require.NoError(t, err)
	key := jose.SigningKey{Algorithm: jose.EdDSA, Key: ed25519.NewKeyFromSeed(seed)}
	signer, err := jose.NewSigner(key, nil)
	require.NoError(t, err)
	payload, err := json.Marshal(map[string]any{
		"iss": "gateway", "aud": audience, "sub": uuid.NewString(),
		"iat": expires.Add(-time.Minute).Unix(), "exp": expires.Unix(),
	})
	require.NoError(t, err)
	signed, err := signer.Sign(payload)
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

// unsigned is the token with a header that asks for no proof.
func unsigned(token string) string {
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`))
	return header + "." + strings.Split(token, ".")[1] + "."
}
