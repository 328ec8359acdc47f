package identity_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit"
)

// keyTables are where the keys of each algorithm stand.
var keyTables = map[keys.Algorithm]string{keys.RS256: "signing_keys", keys.ES256: "es256_keys"}

// signedWith has the gateway's tokens signed with that algorithm.
func (b *harness) signedWith(algorithm keys.Algorithm) *harness {
	b.t.Helper()
	return b.serveWith(func(c []clientConfig) { c[0].SigningAlgorithm = algorithm })
}

func TestOldTokensOutliveAKeyRotation(t *testing.T) {
	t.Parallel()
	for algorithm, table := range keyTables {
		t.Run(string(algorithm), func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve().signedWith(algorithm)
			b.member("amara")
			client := b.rp()
			old := b.browser().signIn(client, "amara")
			require.NoError(t, b.ring.Rotate(t.Context()))
			require.Equal(t, 1, b.count(`SELECT count(*) FROM `+table), "a young key stays")

			b.clock.Advance(keys.Age)
			var group sync.WaitGroup
			for range 4 {
				group.Go(func() { _ = b.ring.Rotate(t.Context()) })
			}
			group.Wait()
			require.Equal(t, 2, b.count(`SELECT count(*) FROM `+table), "replicas make one key")
			fresh := b.browser().signIn(client, "amara")
			require.NotEqual(t, keyOf(t, old), keyOf(t, fresh))
			again := b.rp()
			again.verify(t, old)
			again.verify(t, fresh)
			_, err := again.userinfo(old)
			require.NoError(t, err)

			b.clock.Advance(keys.Published)
			testkit.Retain(t, b.db.Pool, postgres.Retention(), b.clock.Now())
			require.Equal(t, 1, b.count(`SELECT count(*) FROM `+table))
		})
	}
}

// keyOf is the key id in an access token's header.
func keyOf(t *testing.T, token *oauth2.Token) string {
	t.Helper()
	return headerOf(t, token.AccessToken)["kid"]
}

func TestSigningKeysAreSealed(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	other, err := keys.New(b.store, "another-secret-0123456789-0123456789", "", b.clock.Now)
	require.NoError(t, err)
	for algorithm, table := range keyTables {
		// In the clear the private half begins with numbers of the public one, by PKCS #8.
		require.Equal(t, 1, b.count(`SELECT count(*) FROM `+table+` WHERE length(sealed) > length(public) AND position(substring(public FROM 40 FOR 40) IN sealed) = 0`))
		_, err = other.Signing(t.Context(), algorithm)
		require.ErrorContains(t, err, "KEY_ENCRYPTION_SECRET")
		require.ErrorContains(t, other.Check(t.Context()), "KEY_ENCRYPTION_SECRET", "and the service is not ready")
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE `+table+` SET id = 'renamed'`)
		require.NoError(t, err)
		fresh, err := keys.New(b.store, keySecret, "", b.clock.Now)
		require.NoError(t, err)
		_, err = fresh.Signing(t.Context(), algorithm)
		require.Error(t, err, "a key goes by its own name only")
	}
}

// shorterKey is a key of 2,048 bits as releases before made them, in the place of all others of RS256.
func (b *harness) shorterKey() {
	b.t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(b.t, err)
	plain, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(b.t, err)
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	require.NoError(b.t, err)
	secret := sha256.Sum256([]byte("serein identity signing keys\x00" + keySecret))
	block, err := aes.NewCipher(secret[:])
	require.NoError(b.t, err)
	aead, err := cipher.NewGCMWithRandomNonce(block)
	require.NoError(b.t, err)
	_, err = b.db.Pool.Exec(b.t.Context(), `DELETE FROM signing_keys`)
	require.NoError(b.t, err)
	_, err = b.db.Pool.Exec(b.t.Context(), `INSERT INTO signing_keys (id, sealed, public, created_at) VALUES ('shorter', $1, $2, $3)`,
		aead.Seal(nil, nil, plain, []byte("shorter")), public, b.clock.Now())
	require.NoError(b.t, err)
}

func TestNewSigningKeysAreOf3072BitsAndAShorterOneSignsUntilItIsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t).serve().signedWith(keys.RS256)
	b.member("amara")
	b.shorterKey()
	client := b.rp()
	old := b.browser().signIn(client, "amara")
	require.Equal(t, "shorter", keyOf(t, old))
	b.clock.Advance(keys.Age)
	require.NoError(t, b.ring.Rotate(t.Context()))
	fresh := b.browser().signIn(client, "amara")
	published, err := b.ring.Public(t.Context())
	require.NoError(t, err)
	bits := map[string]int{}
	for _, key := range published {
		if public, ok := key.Key.(*rsa.PublicKey); ok {
			bits[key.ID] = public.N.BitLen()
		}
	}
	require.Equal(t, map[string]int{"shorter": 2048, keyOf(t, fresh): 3072}, bits)
	again := b.rp()
	again.verify(t, old)
	again.verify(t, fresh)
}
