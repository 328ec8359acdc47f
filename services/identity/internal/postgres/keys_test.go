package postgres_test

import (
	"crypto/ecdsa"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit"
)

// newest is the latest key that signs with the algorithm; found is false without one.
func (h *harness) newest(algorithm keys.Algorithm) (key keys.Stored, found bool) {
	h.t.Helper()
	all, err := h.SigningKeys(h.t.Context())
	require.NoError(h.t, err)
	for _, k := range all {
		if k.Algorithm == algorithm {
			require.False(h.t, found, "one of each algorithm")
			key, found = k, true
		}
	}
	return key, found
}

func TestOneKeyOfAnAlgorithmSignsAndTheOneBeforeItIsStillPublished(t *testing.T) {
	t.Parallel()
	for algorithm, other := range map[keys.Algorithm]keys.Algorithm{keys.RS256: keys.ES256, keys.ES256: keys.RS256} {
		t.Run(string(algorithm), func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			_, found := h.newest(algorithm)
			require.False(t, found)
			add := func(algorithm keys.Algorithm, id string, at time.Time) {
				require.NoError(t, h.AddKey(t.Context(), algorithm, at.Add(keys.Published), func(keys.Stored, bool) (*keys.Stored, error) {
					return &keys.Stored{ID: id, Sealed: []byte("sealed"), Public: []byte("public " + id), CreatedAt: at}, nil
				}))
			}
			add(algorithm, "old", now)
			add(algorithm, "new", now.Add(time.Hour))
			add(other, "other", now.Add(2*time.Hour))
			newest, found := h.newest(algorithm)
			require.True(t, found)
			require.Equal(t, "new", newest.ID)

			ids := func(at time.Time) []string {
				published, err := h.PublishedKeys(t.Context(), at)
				require.NoError(t, err)
				var ids []string
				for _, k := range published {
					require.Equal(t, []byte("public "+k.ID), k.Public)
					require.Empty(t, k.Sealed, "the private half is not read for publishing")
					if k.Algorithm == algorithm {
						ids = append(ids, k.ID)
					}
				}
				require.Len(t, published, len(ids)+1, "another algorithm's key changes nothing and stays")
				return ids
			}
			retires := now.Add(time.Hour + keys.Published)
			require.Equal(t, []string{"new", "old"}, ids(retires.Add(-time.Microsecond)))
			require.Equal(t, []string{"new"}, ids(retires))
			stay := func() int {
				return h.count(`SELECT (SELECT count(*) FROM signing_keys) + (SELECT count(*) FROM es256_keys)`)
			}
			testkit.Retain(t, h.db.Pool, postgres.Retention(), retires.Add(-time.Microsecond))
			require.Equal(t, 3, stay())
			testkit.Retain(t, h.db.Pool, postgres.Retention(), retires)
			require.Equal(t, 2, stay())
		})
	}
}

func TestReplicasThatStartAtOnceMakeOneKeyOfEachAlgorithm(t *testing.T) {
	t.Parallel()
	h := setup(t)
	clock := func() time.Time { return now }
	rings := make([]*keys.Ring, 4)
	var group sync.WaitGroup
	for i := range rings {
		ring, err := keys.New(h.Store, "a secret of 32 characters or more", "", clock)
		require.NoError(t, err)
		rings[i] = ring
		group.Go(func() { _ = ring.Ensure(t.Context()) })
	}
	group.Wait()
	require.Equal(t, 1, h.count(`SELECT count(*) FROM signing_keys`))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM es256_keys`))
	for _, algorithm := range keys.Algorithms {
		first, err := rings[0].Signing(t.Context(), algorithm)
		require.NoError(t, err)
		for _, ring := range rings {
			k, err := ring.Signing(t.Context(), algorithm)
			require.NoError(t, err)
			require.Equal(t, first, k, "and all of them sign with it")
		}
	}
}

func TestAKeyIsReplacedAtItsAgeAndNotBefore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	at := now
	ring, err := keys.New(h.Store, "a secret of 32 characters or more", "", func() time.Time { return at })
	require.NoError(t, err)
	signing := func() (found []keys.Signing) {
		for _, algorithm := range keys.Algorithms {
			k, err := ring.Signing(t.Context(), algorithm)
			require.NoError(t, err)
			require.Equal(t, algorithm, k.Algorithm)
			found = append(found, k)
		}
		return found
	}
	require.Error(t, ring.Check(t.Context()), "there is none before the first")
	require.NoError(t, ring.Rotate(t.Context()))
	require.NoError(t, ring.Check(t.Context()))
	first := signing()
	at = now.Add(keys.Age - time.Microsecond)
	require.NoError(t, ring.Rotate(t.Context()))
	require.Equal(t, first, signing())
	at = now.Add(keys.Age)
	require.NoError(t, ring.Rotate(t.Context()))
	second := signing()
	public, err := ring.Public(t.Context())
	require.NoError(t, err)
	var want []keys.Public
	for i := range keys.Algorithms {
		for _, k := range []keys.Signing{second[i], first[i]} {
			want = append(want, keys.Public{ID: k.ID, Algorithm: k.Algorithm, Key: k.Key.Public()})
		}
	}
	require.Equal(t, want, public, "RS256 first, the newest first")
	require.Equal(t, "P-256", second[1].Key.Public().(*ecdsa.PublicKey).Params().Name)
}

func TestAKeyThatCannotBeDecidedOnChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	broken := errors.New("no randomness")
	require.ErrorIs(t, h.AddKey(t.Context(), keys.ES256, now, func(keys.Stored, bool) (*keys.Stored, error) { return nil, broken }), broken)
	require.NoError(t, h.AddKey(t.Context(), keys.ES256, now, func(keys.Stored, bool) (*keys.Stored, error) { return nil, nil })) //nolint:nilnil // no key is an answer
	require.Zero(t, h.count(`SELECT count(*) FROM es256_keys`))
	require.Error(t, h.AddKey(t.Context(), "HS256", now, func(keys.Stored, bool) (*keys.Stored, error) { return &keys.Stored{}, nil }))
}

func TestADamagedKeyIsAnErrorThatNamesIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	fresh := func() *keys.Ring {
		ring, err := keys.New(h.Store, "a secret of 32 characters or more", "", func() time.Time { return now })
		require.NoError(t, err)
		return ring
	}
	require.NoError(t, fresh().Rotate(t.Context()))
	damage := func(sql string) {
		t.Helper()
		_, err := h.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	// A key under the wrong algorithm would let a token be proved by what its header says of it (RFC 8725, 3.1).
	damage(`UPDATE es256_keys SET (id, sealed, public) = (SELECT id, sealed, public FROM signing_keys)`)
	_, err := fresh().Signing(t.Context(), keys.ES256)
	require.ErrorContains(t, err, "does not sign with ES256")
	_, err = fresh().Public(t.Context())
	require.ErrorContains(t, err, "signed with ES256")
	damage(`DELETE FROM es256_keys`)
	for _, sql := range []string{
		`UPDATE signing_keys SET sealed = ''`, `UPDATE signing_keys SET sealed = '\x0102030405060708090a0b0c0d0e0f'`,
	} {
		damage(sql)
		_, err := fresh().Signing(t.Context(), keys.RS256)
		require.ErrorContains(t, err, "signing key ")
	}
	damage(`UPDATE signing_keys SET public = '\x00'`)
	_, err = fresh().Public(t.Context())
	require.Error(t, err)
}
