package issuer

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"sync"

	"github.com/go-jose/go-jose/v4"
)

// The ways to sign an ID token, for Behaviour.Sign.

// Unsigned says alg none and has no signature.
func Unsigned(_ *Issuer, payload []byte) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + encode(payload) + "."
}

// SignedWithPublicKey uses the published RSA key as a shared secret.
func SignedWithPublicKey(i *Issuer, payload []byte) string {
	return i.signedWithPublic(payload, &i.rsa.PublicKey, KeyID)
}

// SignedWithPublicECKey uses the published key of ES256 as a shared secret.
func SignedWithPublicECKey(i *Issuer, payload []byte) string {
	return i.signedWithPublic(payload, &i.ec.PublicKey, ecKeyID)
}

func (i *Issuer) signedWithPublic(payload []byte, key crypto.PublicKey, id string) string {
	der, _ := x509.MarshalPKIXPublicKey(key)
	secret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: secret, KeyID: id}})
}

// RS256NamingTheECKey says RS256, with a signature by some RSA key, and names the provider's key of ES256.
func RS256NamingTheECKey(i *Issuer, payload []byte) string {
	key, _ := otherKey()
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: ecKeyID}})
}

// ES256NamingTheRSAKey says ES256, with a signature by some key of P-256, and names the provider's RSA key.
func ES256NamingTheRSAKey(i *Issuer, payload []byte) string {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: KeyID}})
}

// SignedWithClientSecret uses the secret that client and provider share.
func SignedWithClientSecret(i *Issuer, payload []byte) string {
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: []byte(ClientSecret), KeyID: KeyID}})
}

var otherKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// SignedByAnotherKey uses a key that is not the provider's under the provider's key id.
func SignedByAnotherKey(i *Issuer, payload []byte) string {
	key, _ := otherKey()
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: KeyID}})
}

// SignedWithUnknownKeyID names a key that is not published.
func SignedWithUnknownKeyID(i *Issuer, payload []byte) string {
	key, _ := otherKey()
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "unknown"}})
}

// Tampered changes the payload after signing.
func Tampered(i *Issuer, payload []byte) string {
	parts := strings.Split(i.SignRSA(payload), ".")
	changed := strings.Replace(string(payload), "Ada", "Eve", 1)
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(changed)) + "." + parts[2]
}

// SignedWithES256 is honest with the other key.
func SignedWithES256(i *Issuer, payload []byte) string {
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: i.ec, KeyID: ecKeyID}})
}

// SignedWithoutKeyID is honest and does not name its key.
func SignedWithoutKeyID(i *Issuer, payload []byte) string {
	return i.SignWith(payload, jose.SigningKey{Algorithm: jose.RS256, Key: i.rsa})
}
