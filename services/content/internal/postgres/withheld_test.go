package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	reader "serein.app/services/content/internal/delivery/postgres"
	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// A sync sends a meditation once it is verified, and its deletion when an editor withdraws the verification. It sends no deletion of
// a meditation that readers never had.
func TestSyncSendsMeditationsWhileVerified(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	r := reader.New(h.Pool)
	var seen int64
	told := func() (all []string) {
		both := []entry.Kind{entry.KindEntry, entry.KindAsset}
		changes, err := r.Changes(t.Context(), entry.Master, query.Changes{Published: both, Deleted: both, After: seen, Limit: 100})
		require.NoError(t, err)
		for _, c := range changes {
			seen = c.Seq
			if c.DeletedAt.IsZero() {
				all = append(all, "has "+c.ID)
			} else {
				all = append(all, "lost "+c.ID)
			}
		}
		return all
	}
	judge := func(id string, verified bool) entry.Item {
		return h.Give(t, "meditation", id, contenttest.With(map[string]any{"title": id, "slug": id, "script": "Rest.", "verified": verified}))
	}
	withdraw := func(i entry.Item) {
		_, err := h.Unpublish(t.Context(), editor, i.Key, i.Version)
		require.NoError(t, err)
	}
	lamp := judge("lamp", false)
	require.Empty(t, told())
	withdraw(lamp)
	require.Empty(t, told(), "who never had it has nothing to forget")
	judge("lamp", false)
	judge("lamp", true)
	require.Equal(t, []string{"has lamp"}, told())
	judge("lamp", false)
	require.Equal(t, []string{"lost lamp"}, told())
	lamp = judge("lamp", false)
	withdraw(lamp)
	require.Empty(t, told(), "once")
	lamp = judge("lamp", true)
	withdraw(lamp)
	require.Equal(t, []string{"lost lamp"}, told())
	require.Zero(t, h.Count(t, "SELECT COALESCE(sum(count), 0)::int FROM published_counts WHERE content_type = 'meditation'"))
}

// Another editor may publish other words while the first listens.
func TestVerificationIsForTheHeardVersionOnly(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	said := func(script string) entry.Item {
		return h.Give(t, "meditation", "lamp", contenttest.With(map[string]any{"title": "Lamp", "slug": "lamp", "script": script, "verified": false}))
	}
	heard := said("Rest.")
	now := said("Other words.")
	_, err := h.Verify(t.Context(), editor, heard.Key, heard.Version)
	require.ErrorIs(t, err, entry.ErrVersion)
	readers, err := h.Published(t.Context(), heard.Key)
	require.NoError(t, err)
	require.Equal(t, false, readers.Fields["verified"]["en-GB"])
	_, err = h.Verify(t.Context(), editor, now.Key, now.Version)
	require.NoError(t, err)
}
