package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

// Items that only the first upstream sent must not count as sent by the second.
func TestSecondUpstreamWithdrawsItemsOfTheFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	follow := func(source, id string) {
		state, err := h.MirrorState(t.Context(), source)
		require.NoError(t, err)
		require.Empty(t, state.Token)
		item := entry.New(h.Now, key(id), "note", titled(id))
		begun := store.MirrorState{Round: state.Round + 1, Beginning: true}
		require.NoError(t, h.Mirror(t.Context(), source, begun, []store.MirrorChange{{Item: item}}, func(_ entry.Key, err error) { t.Error(err) }))
		require.NoError(t, h.EndMirrorRound(t.Context(), source, store.MirrorState{Round: begun.Round, Token: "next"}, true))
	}
	follow("one", "a")
	_, err := h.Published(t.Context(), key("a"))
	require.NoError(t, err)
	follow("two", "b")
	_, err = h.Published(t.Context(), key("b"))
	require.NoError(t, err)
	_, err = h.Published(t.Context(), key("a"))
	require.ErrorIs(t, err, entry.ErrNotFound)
}

func TestWhatIsMirroredHasTheTitleThatEditorsSeeInListsAndTrail(t *testing.T) {
	t.Parallel()
	h := setup(t)
	tell := func(title string) {
		item := entry.New(h.Now, key("a"), "note", titled(title))
		item.Revision, item.UpdatedAt = 1, h.Now
		require.NoError(t, h.Mirror(t.Context(), "one", store.MirrorState{Round: 1}, []store.MirrorChange{{Item: item}}, func(_ entry.Key, err error) { t.Error(err) }))
		got, err := h.Item(t.Context(), key("a"))
		require.NoError(t, err)
		require.Equal(t, title, got.Title)
		require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM revisions WHERE title = $1", title))
	}
	tell("Lanterns")
	h.Now = h.Now.Add(time.Minute)
	tell("Lamps")
}
