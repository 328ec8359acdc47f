package postgres_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/testkit"
)

func TestOneKeySignsAndTheOneBeforeItIsStillPublished(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, found, err := h.SigningKey(t.Context())
	require.NoError(t, err)
	require.False(t, found)
	add := func(id string, at time.Time) error {
		return h.AddKey(t.Context(), at.Add(keys.Published), func(keys.Stored, bool) (*keys.Stored, error) {
			return &keys.Stored{ID: id, Sealed: []byte("sealed"), Public: []byte("public " + id), CreatedAt: at}, nil
		})
	}
	require.NoError(t, add("old", now))
	require.NoError(t, add("new", now.Add(time.Hour)))
	newest, found, err := h.SigningKey(t.Context())
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "new", newest.ID)

	ids := func(at time.Time) []string {
		published, err := h.PublishedKeys(t.Context(), at)
		require.NoError(t, err)
		var ids []string
		for _, k := range published {
			require.Equal(t, []byte("public "+k.ID), k.Public)
			require.Empty(t, k.Sealed, "the private half is not read for publishing")
			ids = append(ids, k.ID)
		}
		return ids
	}
	retires := now.Add(time.Hour + keys.Published)
	require.Equal(t, []string{"new", "old"}, ids(retires.Add(-time.Microsecond)))
	require.Equal(t, []string{"new"}, ids(retires))
	testkit.Retain(t, h.db.Pool, postgres.Retention(), retires.Add(-time.Microsecond))
	require.Equal(t, 2, h.count(`SELECT count(*) FROM signing_keys`))
	testkit.Retain(t, h.db.Pool, postgres.Retention(), retires)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM signing_keys`))
}

func TestReplicasThatStartAtOnceMakeOneKey(t *testing.T) {
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
	first, err := rings[0].Signing(t.Context())
	require.NoError(t, err)
	for _, ring := range rings {
		k, err := ring.Signing(t.Context())
		require.NoError(t, err)
		require.Equal(t, first.ID, k.ID)
		require.True(t, first.Key.Equal(k.Key), "and all of them sign with it")
	}
}

func TestAKeyIsReplacedAtItsAgeAndNotBefore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	at := now
	ring, err := keys.New(h.Store, "a secret of 32 characters or more", "", func() time.Time { return at })
	require.NoError(t, err)
	_, err = ring.Signing(t.Context())
	require.Error(t, err, "there is none before the first")
	require.NoError(t, ring.Rotate(t.Context()))
	first, err := ring.Signing(t.Context())
	require.NoError(t, err)
	at = now.Add(keys.Age - time.Microsecond)
	require.NoError(t, ring.Rotate(t.Context()))
	same, err := ring.Signing(t.Context())
	require.NoError(t, err)
	require.Equal(t, first.ID, same.ID)
	at = now.Add(keys.Age)
	require.NoError(t, ring.Rotate(t.Context()))
	second, err := ring.Signing(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
	public, err := ring.Public(t.Context())
	require.NoError(t, err)
	require.Len(t, public, 2)
	require.True(t, public[0].Key.Equal(&second.Key.PublicKey))
	require.True(t, public[1].Key.Equal(&first.Key.PublicKey))
}

func TestAKeyThatCannotBeDecidedOnChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	broken := errors.New("no randomness")
	require.ErrorIs(t, h.AddKey(t.Context(), now, func(keys.Stored, bool) (*keys.Stored, error) { return nil, broken }), broken)
	require.NoError(t, h.AddKey(t.Context(), now, func(keys.Stored, bool) (*keys.Stored, error) { return nil, nil })) //nolint:nilnil // no key is an answer
	require.Zero(t, h.count(`SELECT count(*) FROM signing_keys`))
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
	for _, damage := range []string{
		`UPDATE signing_keys SET sealed = ''`, `UPDATE signing_keys SET sealed = '\x0102030405060708090a0b0c0d0e0f'`,
	} {
		_, err := h.db.Pool.Exec(t.Context(), damage)
		require.NoError(t, err)
		_, err = fresh().Signing(t.Context())
		require.ErrorContains(t, err, "signing key ")
	}
	_, err := h.db.Pool.Exec(t.Context(), `UPDATE signing_keys SET public = '\x00'`)
	require.NoError(t, err)
	_, err = fresh().Public(t.Context())
	require.Error(t, err)
}
