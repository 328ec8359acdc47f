package narrate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

func TestWhatAnAdminMadeIsNarratedFirstThenIntroductionsThenArticlesAndMeditationsInTurn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.publish("article", "article", map[string]any{"title": "On rain", "body": "It falls.", "open": true})
	h.publish("article", "second", map[string]any{"title": "On snow", "body": "It lies.", "open": true})
	h.meditation("usual", "Rest here.")
	h.meditation("offered", "Rest there.")
	h.meditation("intro", "Begin.", map[string]any{"intro": true})
	h.publish("storeItem", "begin", map[string]any{"title": "Begin", "meditation": map[string]any{"sys": map[string]any{"type": "Link", "linkType": "Entry", "id": "offered"}}})
	h.meditation("made", "Rest again.", map[string]any{"createdBy": "uid-of-amara"})
	h.service(true)
	order := []string{"made", "intro", "article", "offered", "second", "usual"}
	h.reaches(narrate.Done, order...)
	for _, id := range order {
		p := h.readers(id)
		require.Equal(t, fmt.Sprint(field(p, "narrationHash"))+".mp3", field(p, "audio"), id)
		require.InDelta(t, 90, field(p, "duration"), 0, id)
	}
	require.Equal(t, order, h.narrated(order...))
}

func TestWhatAReaderHasOpenedIsNarratedBeforeAllButWhatAnAdminMade(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("intro", "Begin.", map[string]any{"intro": true})
	h.meditation("first", "Rest here.")
	h.meditation("opened", "Rest there.")
	h.narrator.start = errAway
	s, stop := h.service(true)
	h.reaches(narrate.Waiting, "intro", "first", "opened")
	require.Eventually(t, func() bool { return len(h.narrator.order()) > 0 }, waitFor, time.Millisecond)
	stop() // all is wanted, and nothing is narrated
	s.Opened(t.Context(), "opened")
	s.Opened(t.Context(), "unknown")
	h.meditation("made", "Rest again.", map[string]any{"createdBy": "uid-of-amara"})
	h.narrator.start, h.narrator.begun = nil, nil
	h.service(true)
	order := []string{"made", "opened", "intro", "first"}
	h.reaches(narrate.Done, order...)
	require.Equal(t, order, h.narrated(order...))
}

func TestWhereOnlyWhatTheWorkroomMadeIsNarratedTheEditorsFilesAreNot(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("seeded", "Rest here.")
	h.publish("article", "article", map[string]any{"title": "On rain", "body": "It falls.", "open": true})
	h.meditation("made", "Rest there.", map[string]any{"createdBy": "uid-of-amara"})
	h.serviceOf(narrate.Made, true)
	h.reaches(narrate.Done, "made")
	require.Len(t, h.narrator.order(), 1)
	var wanted int
	require.NoError(t, h.Pool.QueryRow(t.Context(), "SELECT count(*) FROM narrations").Scan(&wanted))
	require.Equal(t, 1, wanted)
}

func TestScopeAcceptsAllMadeAndNone(t *testing.T) {
	t.Parallel()
	var scope narrate.Scope
	require.NoError(t, scope.UnmarshalText([]byte("made")))
	require.Equal(t, narrate.Made, scope)
	require.EqualError(t, scope.UnmarshalText([]byte("true")), `"true" is none of all, made, none`)
}

// The narrator's change is no editor's change: files in seed/ still apply, and the audit log names the narrator.
func TestSoundIsPublishedByTheActorNarrator(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	h.exec("UPDATE items SET edited_at = NULL")
	h.service(true)
	h.reaches(narrate.Done, "a")
	item, err := h.Item(t.Context(), key("a"))
	require.NoError(t, err)
	require.True(t, item.EditedAt.IsZero())
	require.False(t, item.Changed())
	trail, err := h.Revisions(t.Context(), key("a"), "", 0, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"publish", "update"}, []string{trail[0].Act, trail[1].Act})
	require.Equal(t, "narrator", trail[0].Actor)
	require.Equal(t, "narrator", trail[1].Actor)
}

func TestWordsThatAnEditorHasNotPublishedStayADraft(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	h.edit("a", false, map[string]any{"script": "Rest elsewhere."})
	h.service(true)
	h.reaches(narrate.Done, "a")
	p := h.readers("a")
	require.Equal(t, "Rest here.", field(p, "script"))
	require.NotEmpty(t, field(p, "audio"))
	item, err := h.Item(t.Context(), key("a"))
	require.NoError(t, err)
	require.Equal(t, "Rest elsewhere.", item.Fields["script"]["en-GB"])
	require.Equal(t, field(p, "audio"), item.Fields["audio"]["en-GB"])
	require.True(t, item.Changed())

	h.edit("a", true, nil)
	h.reaches(narrate.Done, "a")
	require.Eventually(t, func() bool {
		now := h.readers("a")
		return field(now, "audio") != field(p, "audio") && field(now, "script") == "Rest elsewhere."
	}, waitFor, 10*time.Millisecond, "other words are narrated when they are published")
}

// An editor changes the words during their narration. The service drops that narration and narrates the new words.
func TestWordsChangedDuringNarrationAreNarratedInstead(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	edited := false
	h.narrator.status = func(id string) narrate.Status {
		if !edited {
			edited = true
			h.edit("a", true, map[string]any{"script": "Rest elsewhere."})
		}
		return narrate.Status{Stage: narrate.StageReady, Length: time.Minute, Bytes: int64(len(soundOf(id)))}
	}
	h.service(true)
	require.Eventually(t, func() bool { return field(h.readers("a"), "audio") != nil }, waitFor, 10*time.Millisecond)
	order := h.narrator.order()
	require.Len(t, order, 2)
	require.Equal(t, order[1]+".mp3", field(h.readers("a"), "audio"))
}

func TestProgressIsKnownWhileItIsNarrated(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.status = func(string) narrate.Status { return narrate.Status{Stage: narrate.StageNarrating, Done: 3, Total: 9} }
	h.meditation("a", "Rest here.")
	h.meditation("b", "Rest there.")
	known, err := h.Narrations(t.Context(), []string{"a"})
	require.NoError(t, err)
	require.Equal(t, narrate.Progress{State: narrate.Waiting}, known["a"], "nobody has looked yet")
	s, _ := h.service(true)
	h.reaches(narrate.Narrating, "a")
	require.Eventually(t, func() bool {
		counts, err := h.CountNarrations(t.Context(), "meditation")
		return err == nil && counts == narrate.Counts{Narrating: 1, Waiting: 1}
	}, waitFor, 10*time.Millisecond)
	known, err = h.Narrations(t.Context(), []string{"a", "b"})
	require.NoError(t, err)
	require.Equal(t, map[string]narrate.Progress{"a": {State: narrate.Narrating, Done: 3, Total: 9}, "b": {State: narrate.Waiting}}, known)
	h.narrator.set(func(n *fakeNarrator) { n.status = nil })
	s.Nudge() // as the event does
	h.reaches(narrate.Done, "a", "b")
	counts, err := h.CountNarrations(t.Context(), "meditation")
	require.NoError(t, err)
	require.Zero(t, counts)
}

// A narration does not fail while the narrator is unavailable, and the next process continues what a dead process began.
func TestNarrationWaitsForNarratorAndForNextProcess(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.start = errAway
	h.meditation("a", "Rest here.")
	_, stop := h.service(true)
	require.Eventually(t, func() bool { return len(h.narrator.order()) > 0 }, waitFor, 10*time.Millisecond)
	stop()
	h.reaches(narrate.Waiting, "a")
	h.narrator.set(func(n *fakeNarrator) { n.start = nil })
	h.service(true)
	h.reaches(narrate.Done, "a")
}

// It may be that one script alone, so the next ones are narrated; and it may be the narrator's fault, so it is never given up.
func TestFailingScriptIsRetriedWithoutDelayingOthers(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]error{
		"internal error": errs.ErrInternal, "too large": errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_LARGE, "Too large."),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			h.narrator.refuses = func(s narrate.Script) error {
				if strings.Contains(fmt.Sprint(s.Passages), "Begin.") {
					return failure
				}
				return nil
			}
			h.meditation("a", "Begin.", map[string]any{"intro": true})
			h.meditation("b", "Rest there.")
			h.publish("article", "c", map[string]any{"title": "On rain", "body": "It falls.", "open": true})
			s, _ := h.service(true)
			h.reaches(narrate.Done, "b", "c")
			h.reaches(narrate.Failed, "a")
			var tries int
			require.NoError(t, h.Pool.QueryRow(t.Context(), "SELECT tries FROM narrations WHERE id = 'a'").Scan(&tries))
			require.Zero(t, tries, "it is not given up however often that happens")
			h.narrator.set(func(n *fakeNarrator) { n.refuses = nil })
			h.pass(5 * time.Minute)
			s.Nudge()
			h.reaches(narrate.Done, "a")
		})
	}
}

func TestFailedFetchDoesNotDelayOtherNarrations(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.sound = errors.New("500 Internal Server Error")
	h.meditation("a", "Rest here.")
	h.meditation("b", "Rest there.")
	h.service(true)
	h.reaches(narrate.Failed, "a", "b")
}

func TestAFailureIsTriedAgainAfterGrowingWaitsAndAtLastNotBeforeTheWordsChange(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.start = narrate.RefusalError{Because: errors.New("there is no such narrator")}
	h.meditation("a", "Rest here.", map[string]any{"voice": "nobody"})
	s, _ := h.service(true)
	var waits []time.Duration
	for tries := 1; tries <= 12; tries++ {
		require.Eventually(t, func() bool {
			var n int
			return h.Pool.QueryRow(t.Context(), "SELECT tries FROM narrations").Scan(&n) == nil && n == tries
		}, waitFor, 5*time.Millisecond)
		var next *time.Time
		require.NoError(t, h.Pool.QueryRow(t.Context(), "SELECT next_try_at FROM narrations").Scan(&next))
		if tries == 12 {
			require.Nil(t, next)
			break
		}
		waits = append(waits, next.Sub(h.clock()))
		h.pass(waits[tries-1])
		s.Nudge()
	}
	require.Equal(t, time.Minute, waits[0])
	require.Equal(t, 2*time.Minute, waits[1])
	require.Equal(t, 6*time.Hour, waits[10])
	h.reaches(narrate.Failed, "a")
	h.narrator.set(func(n *fakeNarrator) { n.start = nil })
	h.edit("a", true, map[string]any{"voice": "wren"})
	s.Nudge()
	require.Eventually(t, func() bool { return field(h.readers("a"), "audio") != nil }, waitFor, 10*time.Millisecond)
}

func TestWhoMayHearWhat(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.publish("article", "open", map[string]any{"title": "Open", "body": "To all.", "open": true})
	h.publish("article", "closed", map[string]any{"title": "Closed", "body": "To some.", "open": false})
	h.meditation("verified", "Rest.")
	h.meditation("unverified", "Rest, perhaps.", map[string]any{"verified": false})
	s, _ := h.service(true)
	h.reaches(narrate.Done, "open", "closed", "verified", "unverified")
	admin := auth.Subject{UID: "a", Admin: true}
	reader, listener := auth.Subject{UID: "r", Entitlements: []string{"articles"}}, auth.Subject{UID: "l", Entitlements: []string{"library"}}
	for id, may := range map[string][]bool{ // visitor, reader, listener, admin
		"open": {true, true, true, true}, "closed": {false, true, false, true},
		"verified": {false, false, true, true}, "unverified": {false, false, false, true},
	} {
		file, _ := field(h.readers(id), "audio").(string)
		for i, who := range []auth.Subject{{}, reader, listener, admin} {
			sound, err := s.Open(t.Context(), who, file)
			if !may[i] {
				require.ErrorIs(t, err, blob.ErrNotFound, "%s %d", id, i)
				continue
			}
			require.NoError(t, err, "%s %d", id, i)
			data, err := io.ReadAll(sound)
			require.NoError(t, errors.Join(err, sound.Close()))
			require.Equal(t, soundOf(file[:32]), data)
		}
	}
	for _, file := range []string{"", "x.mp3", "../tracks/rain.mp3", "00000000000000000000000000000000.mp3"} {
		_, err := s.Open(t.Context(), admin, file)
		require.ErrorIs(t, err, blob.ErrNotFound, file)
	}
}

func TestSentenceTimesNeedTheRightToHearTheSound(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	s, _ := h.service(true)
	h.reaches(narrate.Done, "a")
	file, _ := field(h.readers("a"), "audio").(string)
	words := file[:32] + ".vtt"
	listener := auth.Subject{UID: "l", Entitlements: []string{"library"}}
	vtt, err := s.Open(t.Context(), listener, words)
	require.NoError(t, err)
	data, err := io.ReadAll(vtt)
	require.NoError(t, errors.Join(err, vtt.Close()))
	require.Contains(t, string(data), file[:32])
	_, err = s.Open(t.Context(), auth.Subject{}, words)
	require.ErrorIs(t, err, blob.ErrNotFound)
}

func TestWhatWasNarratedWithoutSayingWhenIsHeardWithoutWords(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.narrator.set(func(n *fakeNarrator) { n.wordless = true })
	h.meditation("a", "Rest here.")
	s, _ := h.service(true)
	h.reaches(narrate.Done, "a")
	file, _ := field(h.readers("a"), "audio").(string)
	listener := auth.Subject{UID: "l", Entitlements: []string{"library"}}
	sound, err := s.Open(t.Context(), listener, file)
	require.NoError(t, err)
	require.NoError(t, sound.Close())
	_, err = s.Open(t.Context(), listener, file[:32]+".vtt")
	require.ErrorIs(t, err, blob.ErrNotFound, "it is not made again for that")
}

func TestLostFileIsNarratedAgainWhenRequested(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	s, _ := h.service(true)
	h.reaches(narrate.Done, "a")
	file, _ := field(h.readers("a"), "audio").(string)
	require.NoError(t, h.blobs.Delete(t.Context(), "narrations/"+file))
	listener := auth.Subject{UID: "l", Entitlements: []string{"library"}}
	_, err := s.Open(t.Context(), listener, file)
	require.ErrorIs(t, err, narrate.ErrNotYet)
	require.Eventually(t, func() bool {
		sound, err := s.Open(t.Context(), listener, file)
		return err == nil && sound.Close() == nil
	}, waitFor, 10*time.Millisecond)
}

func TestAFileThatNoEntryNamesIsHeardForAMonthAndThenGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("a", "Rest here.")
	s, _ := h.service(true)
	h.reaches(narrate.Done, "a")
	old, _ := field(h.readers("a"), "audio").(string)
	h.edit("a", true, map[string]any{"script": "Rest elsewhere."})
	require.Eventually(t, func() bool { return field(h.readers("a"), "audio") != old }, waitFor, 10*time.Millisecond)
	listener := auth.Subject{UID: "l", Entitlements: []string{"library"}}

	require.NoError(t, s.Tidy(t.Context()))
	h.pass(narrate.KeptUnnamed - time.Second)
	require.NoError(t, s.Tidy(t.Context()))
	sound, err := s.Open(t.Context(), listener, old)
	require.NoError(t, err, "a member who is listening hears the file to its end")
	require.NoError(t, sound.Close())
	_, err = s.Open(t.Context(), auth.Subject{}, old)
	require.ErrorIs(t, err, blob.ErrNotFound)

	h.pass(time.Second)
	require.NoError(t, s.Tidy(t.Context()))
	_, err = s.Open(t.Context(), listener, old)
	require.ErrorIs(t, err, blob.ErrNotFound)
	keys, err := h.blobs.List(t.Context(), "narrations/")
	require.NoError(t, err)
	require.Len(t, keys, 2, "the named one stays, sound and words")
	require.Equal(t, 1, testkit.Retain(t, h.Pool, store.Retention(), h.clock()))
}

// An editor takes an article from readers for a season and gives it back: its sound is not made again, nor missed.
func TestTheSoundOfADraftStaysHoweverLongReadersDoNotGetIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := []string{"unpublished", "archived", "unverified"}
	for _, id := range ids {
		h.meditation(id, "Rest with "+id+".", map[string]any{"verified": id != "unverified"})
	}
	s, _ := h.service(true)
	h.reaches(narrate.Done, ids...)
	for _, id := range ids[:2] {
		item, err := h.Item(t.Context(), key(id))
		require.NoError(t, err)
		item, err = h.Unpublish(t.Context(), editor, key(id), item.Version)
		require.NoError(t, err)
		if id == "archived" {
			_, err = h.Archive(t.Context(), editor, key(id), item.Version)
			require.NoError(t, err)
		}
	}
	require.NoError(t, s.Tidy(t.Context()))
	h.pass(2 * narrate.KeptUnnamed)
	require.NoError(t, s.Tidy(t.Context()))
	keys, err := h.blobs.List(t.Context(), "narrations/")
	require.NoError(t, err)
	require.Len(t, keys, 6)

	item, err := h.Item(t.Context(), key("unpublished"))
	require.NoError(t, err)
	_, err = h.Publish(t.Context(), editor, key("unpublished"), item.Version)
	require.NoError(t, err)
	file, _ := field(h.readers("unpublished"), "audio").(string)
	sound, err := s.Open(t.Context(), auth.Subject{UID: "l", Entitlements: []string{"library"}}, file)
	require.NoError(t, err, "heard at once")
	require.NoError(t, sound.Close())
}

// noDelete is a store that cannot remove one of its files.
type noDelete struct {
	blob.Store
	key string
}

func (b *noDelete) Delete(ctx context.Context, key string) error {
	if key == b.key {
		return errors.New("the disk is broken there")
	}
	return b.Store.Delete(ctx, key)
}

func TestAFileThatCannotBeRemovedKeepsNoOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	stuck := &noDelete{Store: h.blobs}
	h.blobs = stuck
	s, _ := h.service(true)
	var old []string
	for _, id := range []string{"a", "b"} {
		h.meditation(id, "Rest with "+id+".")
		h.reaches(narrate.Done, id)
		file, _ := field(h.readers(id), "audio").(string)
		old = append(old, "narrations/"+file)
		h.edit(id, true, map[string]any{"script": "Rest without " + id + "."})
		require.Eventually(t, func() bool { return field(h.readers(id), "audio") != file }, waitFor, 10*time.Millisecond)
	}
	slices.Sort(old)
	stuck.key = old[0]
	require.NoError(t, s.Tidy(t.Context()))
	h.pass(narrate.KeptUnnamed)
	require.NoError(t, s.Tidy(t.Context()))
	left := func() []string {
		keys, err := h.blobs.List(t.Context(), "narrations/")
		require.NoError(t, err)
		return keys
	}
	require.Len(t, left(), 5)
	require.NotContains(t, left(), old[1], "the other is gone")
	require.InDelta(t, 1, testkit.Metric(t, h.meters, "serein.content.narrations.failures"), 0)
	stuck.key = ""
	require.NoError(t, s.Tidy(t.Context()))
	require.Len(t, left(), 4, "it is tried again")
}

func TestStalledNarrationLetsOthersThrough(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.meditation("first", "Rest here.", map[string]any{"intro": true})
	h.meditation("second", "Rest there.")
	var still string
	h.narrator.status = func(id string) narrate.Status {
		if still == "" {
			still = id
		}
		if id == still {
			return narrate.Status{Stage: narrate.StageNarrating, Done: 3, Total: 9}
		}
		return narrate.Status{Stage: narrate.StageReady, Length: time.Minute, Bytes: int64(len(soundOf(id)))}
	}
	s, _ := h.service(true)
	h.reaches(narrate.Narrating, "first")
	h.pass(narrate.MaxSilent)
	s.Nudge()
	h.reaches(narrate.Failed, "first")
	h.reaches(narrate.Done, "second")
	h.narrator.set(func(n *fakeNarrator) { n.status = nil })
	h.pass(narrate.FaultRetry)
	h.reaches(narrate.Done, "first")
	h.narrator.set(func(n *fakeNarrator) {
		require.WithinDuration(t, time.Now(), n.until, narrate.FetchTime, "a sound is not waited for without end")
	})
}
