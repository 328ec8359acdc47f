package delivery

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"serein.app/services/platform/seal"
)

// AssetKeys prove addresses of files that were signed with an asset key: `?token=…&policy=…`, where the token is a JWT
// (HS256, with the key's secret as it was given) whose `sub` is the address without its query. Every published asset is
// public, so a signature gives no further access. But a signature that is sent must be valid, so that clients that sign their
// addresses notice when a key has expired.
type AssetKeys struct {
	sealer *seal.Sealer
	space  string
	now    func() time.Time
}

// NewAssetKeys proves what the API with that sealer has issued.
func NewAssetKeys(sealer *seal.Sealer, space string, now func() time.Time) *AssetKeys {
	return &AssetKeys{sealer, space, now}
}

// Signed says whether the address has a signature at all.
func Signed(query url.Values) bool { return query.Has("token") || query.Has("policy") }

// Check gives the environment whose assets the address's key opens, or why the signature does not hold.
func (k *AssetKeys) Check(path string, query url.Values) (environment string, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(query.Get("policy"))
	if err != nil {
		return "", fmt.Errorf("policy: %w", err)
	}
	var policy assetPolicy
	if err := k.sealer.Open("asset policy", raw, &policy); err != nil {
		return "", err
	}
	if policy.Space != k.space || k.now().Unix() > policy.ExpiresAt {
		return "", errors.New("the key is another space's, or no longer good")
	}
	token, err := jwt.ParseSigned(query.Get("token"), []jose.SignatureAlgorithm{jose.HS256})
	if err != nil {
		return "", err
	}
	var claims jwt.Claims
	if err := token.Claims([]byte(base64.RawURLEncoding.EncodeToString(policy.Secret)), &claims); err != nil {
		return "", err
	}
	address, err := url.Parse(claims.Subject)
	if err != nil || address.Path != path {
		return "", errors.Join(err, fmt.Errorf("the token is for %q", claims.Subject))
	}
	return policy.Environment, claims.ValidateWithLeeway(jwt.Expected{Time: k.now()}, 0)
}
