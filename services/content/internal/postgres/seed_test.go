package postgres_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

func seed(title string) store.Seed {
	return store.Seed{Key: key("a"), ContentType: "note", Draft: titled(title), File: "notes/a.md", Hash: []byte(title)}
}

func (h *harness) apply(t *testing.T, s store.Seed) bool {
	t.Helper()
	applied, err := h.Apply(t.Context(), s)
	require.NoError(t, err)
	return applied
}

func (h *harness) title(t *testing.T) any {
	t.Helper()
	p, err := h.Published(t.Context(), key("a"))
	require.NoError(t, err)
	return p.Fields["title"]["en-GB"]
}

func TestAFileIsAppliedOnceAndAgainWhenItHasChanged(t *testing.T) {
	t.Parallel()
	h := setup(t)
	require.True(t, h.apply(t, seed("First")))
	require.False(t, h.apply(t, seed("First")))
	require.Equal(t, "First", h.title(t))
	require.True(t, h.apply(t, seed("Second")))
	require.Equal(t, "Second", h.title(t))
	item, err := h.Item(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, []int{4, 3, 2}, []int{item.Version, item.PublishedVersion, item.Revision})
	require.Equal(t, "notes/a.md", item.Seed)
}

func TestAnEditorsHandStaysWhateverTheFileSays(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(h *harness, i entry.Item) error{
		"changed": func(h *harness, i entry.Item) error {
			return second(h.Update(t.Context(), editor, i.Key, i.Version, titled("Mine")))
		},
		"unpublished": func(h *harness, i entry.Item) error {
			return second(h.Unpublish(t.Context(), editor, i.Key, i.Version))
		},
		"deleted": func(h *harness, i entry.Item) error {
			i, err := h.Unpublish(t.Context(), editor, i.Key, i.Version)
			if err != nil {
				return err
			}
			return h.Delete(t.Context(), editor, i.Key, i.Version)
		},
	} {
		h := setup(t)
		h.apply(t, seed("First"))
		item, err := h.Item(t.Context(), key("a"))
		require.NoError(t, err)
		require.NoError(t, act(h, item), name)
		before := h.Count(t, "SELECT count(*) FROM revisions")
		require.False(t, h.apply(t, seed("Second")), name)
		require.Equal(t, before, h.Count(t, "SELECT count(*) FROM revisions"), name)
	}
}

func TestWhatTheServiceWroteItselfStaysWhenAFileChanges(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.apply(t, seed("First"))
	narrated := titled("First")
	narrated.Fields["seconds"] = map[string]any{"en-GB": 90.0}
	_, err := h.Update(t.Context(), entry.Actor{Name: "narration"}, key("a"), 2, narrated)
	require.NoError(t, err)
	require.True(t, h.apply(t, seed("Second")))
	p, err := h.Published(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, entry.Fields{"title": {"en-GB": "Second"}, "seconds": {"en-GB": 90.0}}, p.Fields)
}

func TestReplicasThatApplyAFileAtOnceMakeItOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	var wait sync.WaitGroup
	applied := make([]bool, 8)
	for i := range applied {
		wait.Go(func() {
			var err error
			if applied[i], err = h.Apply(context.WithoutCancel(t.Context()), seed("First")); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	made := 0
	for _, a := range applied {
		if a {
			made++
		}
	}
	require.Equal(t, 1, made)
	require.Equal(t, 2, h.Count(t, "SELECT count(*) FROM revisions"))
}

func TestABrokenFileChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.apply(t, seed("First"))
	broken := seed("Second")
	delete(broken.Draft.Fields, "title")
	_, err := h.Apply(t.Context(), broken)
	require.ErrorContains(t, err, "A value is needed.")
	require.Equal(t, "First", h.title(t))
}
