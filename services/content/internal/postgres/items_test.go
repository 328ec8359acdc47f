package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/pagetoken"
)

func TestReadersGetWhatWasPublishedAndNothingBefore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	draft, err := h.Create(t.Context(), editor, key("a"), "note", titled("First"))
	require.NoError(t, err)
	require.Equal(t, 1, draft.Version)
	_, err = h.Published(t.Context(), key("a"))
	require.ErrorIs(t, err, entry.ErrNotFound)

	h.Now = h.Now.Add(time.Minute)
	item, err := h.Publish(t.Context(), editor, key("a"), 1)
	require.NoError(t, err)
	item, err = h.Update(t.Context(), editor, key("a"), item.Version, titled("Second"))
	require.NoError(t, err)
	readers, err := h.Published(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, "First", readers.Fields["title"]["en-GB"])
	require.Equal(t, []int{1, 1}, []int{readers.Revision, readers.Version})
	require.Equal(t, []time.Time{contenttest.Begin, contenttest.Begin.Add(time.Minute)}, []time.Time{readers.CreatedAt, readers.FirstPublishedAt})

	item, err = h.Publish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	again, err := h.Published(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, "Second", again.Fields["title"]["en-GB"])
	require.Equal(t, 2, again.Revision)
	require.Greater(t, again.Seq, readers.Seq)
	stored, err := h.Item(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, item, stored)
}

func TestWhoSawAnOlderVersionChangesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	item := h.published(t, "a", titled("First"))
	var wait sync.WaitGroup
	results := make([]error, 8)
	for i := range results {
		wait.Go(func() {
			_, results[i] = h.Update(context.WithoutCancel(t.Context()), editor, key("a"), item.Version, titled("One of eight"))
		})
	}
	wait.Wait()
	done := 0
	for _, err := range results {
		if err == nil {
			done++
			continue
		}
		require.ErrorIs(t, err, entry.ErrVersion)
	}
	require.Equal(t, 1, done)
	for _, act := range []error{
		second(h.Publish(t.Context(), editor, key("a"), 1)), second(h.Unpublish(t.Context(), editor, key("a"), 1)),
		second(h.Archive(t.Context(), editor, key("a"), 1)), h.Delete(t.Context(), editor, key("a"), 1),
	} {
		require.ErrorIs(t, act, entry.ErrVersion)
	}
	_, err := h.Create(t.Context(), editor, key("a"), "note", titled("Again"))
	require.ErrorIs(t, err, entry.ErrExists)
}

func second(_ entry.Item, err error) error { return err }

func TestWithdrawnItemLeavesDeletionAndReturnsWithNextRevision(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.published(t, "target", titled("Target"))
	item := h.published(t, "a", titled("First", "target"))
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM links WHERE id = 'a' AND target_id = 'target'"))

	item, err := h.Unpublish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	_, err = h.Published(t.Context(), key("a"))
	require.ErrorIs(t, err, entry.ErrNotFound)
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM deletions WHERE id = 'a' AND revision = 1 AND seq = (SELECT last_value FROM changes)"))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM links WHERE id = 'a'"))

	item, err = h.Publish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.Equal(t, 2, item.Revision)
	require.Zero(t, h.Count(t, "SELECT count(*) FROM deletions"))
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM links WHERE id = 'a'"))
}

func TestNothingThatBreaksARuleReachesReaders(t *testing.T) {
	t.Parallel()
	h := setup(t)
	_, err := h.Create(t.Context(), editor, key("a"), "note", entry.Draft{Fields: entry.Fields{"title": {"en-GB": 1.0}}})
	require.ErrorIs(t, err, entry.ErrInvalid, "a title is a text")
	_, err = h.Create(t.Context(), editor, key("a"), "nothing", titled("A"))
	require.ErrorIs(t, err, entry.ErrTypeNotFound)

	empty, err := h.Create(t.Context(), editor, key("a"), "note", entry.Draft{})
	require.NoError(t, err, "a draft may be unfinished")
	_, err = h.Publish(t.Context(), editor, key("a"), empty.Version)
	require.ErrorContains(t, err, "title (en-GB): A value is needed.")
	require.Zero(t, h.Count(t, "SELECT count(*) FROM published"))
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM revisions"), "what was refused left no trace")
}

func TestAValueThatMustBeUniqueIsPublishedOnceHoweverManyTry(t *testing.T) {
	t.Parallel()
	h := setup(t)
	d := titled("A")
	d.Fields["slug"] = map[string]any{"en-GB": "the-slug"}
	ids := []string{"a", "b", "c", "d", "e", "f"}
	for _, id := range ids {
		_, err := h.Create(t.Context(), editor, key(id), "note", d)
		require.NoError(t, err)
	}
	var wait sync.WaitGroup
	results := make([]error, len(ids))
	for i, id := range ids {
		wait.Go(func() { _, results[i] = h.Publish(context.WithoutCancel(t.Context()), editor, key(id), 1) })
	}
	wait.Wait()
	require.ErrorContains(t, errors.Join(results...), "Another entry has this value.")
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM published"))
}

func TestAnEntryLinksOnlyToContentTypesThatItsFieldTakes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	other := note()
	other.ID = "other"
	_, err := h.SetContentType(t.Context(), editor, other)
	require.NoError(t, err)
	_, err = h.Create(t.Context(), editor, key("stranger"), "other", titled("A"))
	require.NoError(t, err)
	item, err := h.Create(t.Context(), editor, key("a"), "note", titled("A", "stranger", "to-come"))
	require.NoError(t, err)
	_, err = h.Publish(t.Context(), editor, key("a"), item.Version)
	require.ErrorContains(t, err, "stranger is a other; the field takes [note].")
	h.published(t, "b", titled("B", "to-come"))
}

// A reader who has seen a number has seen all below: no change commits with a lower one later.
func TestTheOrderOfNumbersIsTheOrderOfCommits(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const writers, each = 8, 12
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for n := range each {
				id := string(rune('a'+w)) + "-" + string(rune('a'+n))
				item, err := h.Create(context.WithoutCancel(t.Context()), editor, key(id), "note", titled(id))
				if err == nil {
					_, err = h.Publish(context.WithoutCancel(t.Context()), editor, key(id), item.Version)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	finished := make(chan struct{})
	go func() { wait.Wait(); close(finished) }()
	seen, last := map[int64]bool{}, int64(0)
	for running := true; running; {
		select {
		case <-finished:
			running = false
		default:
		}
		rows, err := h.Pool.Query(t.Context(), "SELECT seq FROM published ORDER BY seq")
		require.NoError(t, err)
		numbers, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		require.NoError(t, err)
		newest := last
		for _, seq := range numbers {
			require.True(t, seq > last || seen[seq], "%d came after %d had been seen", seq, last)
			seen[seq], newest = true, max(newest, seq)
		}
		last = newest
	}
	require.Len(t, seen, writers*each)
}

func TestTheTrailSaysWhoDidWhatAlsoOfWhatIsGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	item := h.published(t, "a", titled("First"))
	item, err := h.Unpublish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	item, err = h.Archive(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	item, err = h.Unarchive(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.NoError(t, h.Delete(t.Context(), editor, key("a"), item.Version))
	_, err = h.Create(t.Context(), entry.Actor{Name: "ben", Editor: true}, key("a"), "note", titled("Another"))
	require.NoError(t, err)

	var acts []string
	var below int64
	for {
		page, err := h.Revisions(t.Context(), key("a"), "", below, 4)
		require.NoError(t, err)
		for _, r := range page {
			acts, below = append(acts, r.Act+" by "+r.Actor), r.Number
			require.NotEmpty(t, r.Title)
		}
		if len(page) < 4 {
			break
		}
	}
	require.Equal(t, []string{
		"create by ben", "delete by amara", "unarchive by amara", "archive by amara", "unpublish by amara", "publish by amara", "create by amara",
	}, acts)
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM revisions WHERE NOT superseded"))
}

func TestDraftsAreListedPageByPageTheNewestFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		if id == "c" {
			h.Now = h.Now.Add(time.Second)
		}
		_, err := h.Create(t.Context(), editor, key(id), "note", titled(id))
		require.NoError(t, err)
	}
	var ids []string
	for place := store.Newest; ; {
		page, err := h.Drafts(t.Context(), entry.Master, "note", "", place, 2)
		require.NoError(t, err)
		for _, item := range page {
			ids, place = append(ids, item.ID), store.Cursor{At: pagetoken.Time{Time: item.UpdatedAt}, ID: item.ID}
		}
		if len(page) < 2 {
			break
		}
	}
	require.Equal(t, []string{"c", "d", "e", "a", "b"}, ids)
	assets, err := h.Drafts(t.Context(), entry.Master, "", "", store.Newest, 2)
	require.NoError(t, err)
	require.Empty(t, assets)
}
