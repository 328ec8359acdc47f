package delivery

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"time"

	"serein.app/services/content/internal/delivery/query"
)

const (
	// keyLife is how long an asset key may be good.
	keyLife = 48 * time.Hour
	// maxKeyBody bounds what a client sends for one, in bytes.
	maxKeyBody = 4 << 10
	// keySize of a secret, in bytes.
	keySize = 32
)

// assetPolicy is what a policy holds: which space's assets may be read with the secret, until when.
type assetPolicy struct {
	Space       string `json:"space"`
	Environment string `json:"environment"`
	ExpiresAt   int64  `json:"exp"`
	Secret      []byte `json:"key"`
}

// assetKey answers a key that addresses of assets can be signed with: the policy is sealed and knows its secret.
func (h *Handler) assetKey(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	expires, err := h.expiry(r.Request)
	if err != nil {
		return err
	}
	secret := make([]byte, keySize)
	_, _ = rand.Read(secret) // it never fails
	policy, err := h.sealed("asset policy", assetPolicy{h.Space, r.environment, expires, secret})
	w.open('{')
	w.name("policy")
	w.text(policy)
	w.name("secret")
	w.text(base64.RawURLEncoding.EncodeToString(secret))
	w.close('}')
	return err
}

// expiry reads expiresAt, in seconds since 1970.
func (h *Handler) expiry(r *http.Request) (int64, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxKeyBody+1))
	var body map[string]any
	if err != nil || len(raw) > maxKeyBody || json.Unmarshal(raw, &body) != nil {
		return 0, badRequest("The body of the request is not a JSON object of a few bytes.")
	}
	wrong := func(why string) error {
		return invalid(query.Detail{Name: "expiresAt", Path: []string{"expiresAt"}, Type: "Number", Details: why})
	}
	at, ok := body["expiresAt"].(float64)
	now := h.Now().Unix()
	switch {
	case !ok || at != math.Trunc(at):
		return 0, wrong("expiresAt is a whole number of seconds since 1970.")
	case at < float64(now):
		return 0, wrong("expiresAt is in the past.")
	case at > float64(now)+keyLife.Seconds():
		return 0, wrong("expiresAt is more than 48 hours ahead.")
	}
	return int64(at), nil
}
