package delivery_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	"serein.app/services/platform/config"
	"serein.app/services/platform/seal"
)

// sign makes the query of an address that was signed as clients of the contract do.
func sign(t *testing.T, policy, secret string, claims jwt.Claims) url.Values {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)}, nil)
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize() //nolint:misspell // as go-jose writes it
	require.NoError(t, err)
	return url.Values{"token": {token}, "policy": {policy}}
}

func TestAnAddressOfAFileThatAKeySignedHoldsForAsLongAsBothSay(t *testing.T) {
	t.Parallel()
	a := world(t)
	expires := time.Now().Add(time.Hour)
	key := a.ask(http.MethodPost, base+"asset_keys", fmt.Sprintf(`{"expiresAt": %d}`, expires.Unix()))
	require.Equal(t, http.StatusCreated, key.status, key.raw)
	policy, secret := fmt.Sprint(key.body["policy"]), fmt.Sprint(key.body["secret"])

	sealer, err := seal.New(config.Secret(strings.Repeat("s", 32)), "", "content delivery")
	require.NoError(t, err)
	now := time.Now()
	keys := delivery.NewAssetKeys(sealer, "serein", func() time.Time { return now })
	const path = "/media/assets/0a/b.webp"
	good := jwt.Claims{Subject: "https://serein.example" + path, Expiry: jwt.NewNumericDate(now.Add(time.Minute))}
	environment, err := keys.Check(path, sign(t, policy, secret, good))
	require.NoError(t, err)
	require.Equal(t, "master", environment)

	elsewhere, late := good, good
	elsewhere.Subject, late.Expiry = "https://serein.example/media/assets/0a/c.webp", jwt.NewNumericDate(now.Add(-time.Minute))
	for name, query := range map[string]url.Values{
		"nothing":         {},
		"no token":        {"policy": {policy}},
		"no policy":       {"token": sign(t, policy, secret, good)["token"]},
		"another address": sign(t, policy, secret, elsewhere),
		"an old token":    sign(t, policy, secret, late),
		"another secret":  sign(t, policy, strings.Repeat("x", 43), good),
		"another policy":  sign(t, "AAAA"+policy[4:], secret, good),
	} {
		_, err := keys.Check(path, query)
		require.Error(t, err, name)
	}
	_, err = delivery.NewAssetKeys(sealer, "other", time.Now).Check(path, sign(t, policy, secret, good))
	require.Error(t, err, "another space's")
	now = expires.Add(time.Second)
	good.Expiry = nil
	_, err = keys.Check(path, sign(t, policy, secret, good))
	require.Error(t, err, "the key is no longer good")
}

func TestStoredFilesHaveTheMediaHost(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(c *delivery.Config) { c.MediaHost = "serein.example:8443" })
	hash := strings.Repeat("0a", 32)
	a.publish("pine", "", `{"title":{"en-GB":"A pine"},"file":{"en-GB":{"url":"//serein/media/assets/`+hash+`/pine.webp","fileName":"pine.webp","contentType":"image/webp","details":{"size":4,"image":{"width":1,"height":1}}}}}`)
	require.Equal(t, "//serein.example:8443/media/assets/"+hash+"/pine.webp", at(a.get("assets/pine").body, "fields", "file", "url"))
}
