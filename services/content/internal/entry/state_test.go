package entry_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
)

func TestAnItemGoesFromDraftToReadersAndIntoTheArchive(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 4, 9, 0, 0, 0, time.UTC)
	draft := entry.Item{Version: 1}
	published, err := draft.Publish(at)
	require.NoError(t, err)
	require.Equal(t, []int{2, 1, 1}, []int{published.Version, published.PublishedVersion, published.Revision})
	require.Equal(t, at, published.FirstPublishedAt)
	require.False(t, published.Changed())

	changed, err := published.Change(at, entry.Draft{Fields: entry.Fields{"a": nil}})
	require.NoError(t, err)
	require.True(t, changed.Changed())
	require.Equal(t, 1, changed.PublishedVersion, "readers keep what they have")
	again, err := changed.Publish(at.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, []int{4, 3, 2}, []int{again.Version, again.PublishedVersion, again.Revision})
	require.Equal(t, at, again.FirstPublishedAt)

	_, err = again.Archive(at)
	require.ErrorIs(t, err, entry.ErrPublished)
	require.ErrorIs(t, again.Delete(), entry.ErrPublished)
	hidden, err := again.Unpublish(at)
	require.NoError(t, err)
	_, err = hidden.Unpublish(at)
	require.ErrorIs(t, err, entry.ErrNotPublished)
	require.NoError(t, hidden.Delete())

	archived, err := hidden.Archive(at)
	require.NoError(t, err)
	for _, step := range []func() error{
		func() error { _, err := archived.Archive(at); return err },
		func() error { _, err := archived.Publish(at); return err },
		func() error { _, err := archived.Change(at, entry.Draft{}); return err },
	} {
		require.ErrorIs(t, step(), entry.ErrArchived)
	}
	back, err := archived.Unarchive(at)
	require.NoError(t, err)
	require.Equal(t, []int{7, 0, 2}, []int{back.Version, back.PublishedVersion, back.Revision})
	_, err = back.Unarchive(at)
	require.ErrorIs(t, err, entry.ErrNotArchived)
}
