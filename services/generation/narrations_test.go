package generation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

func (*fakeRecorder) BackgroundSegments(s recording.Script) []recording.Passage { return s.Passages }

// RecordInBackground is known by the first sentence that is said; quiet passages come before it.
func (r *fakeRecorder) RecordInBackground(
	ctx context.Context, narratorID string, s recording.Script, from int, emit func(recording.Segment, []byte) error,
) error {
	id := firstWords(s)
	r.noteNarrator(id, narratorID)
	r.note(id, from)
	for i := from; i < len(s.Passages); i++ {
		if before := r.note(id, -1); before != nil {
			if err := before(ctx, id, i); err != nil {
				return err
			}
		}
		if err := errors.Join(ctx.Err(), emit(segment(i), sound(id, i))); err != nil {
			return err
		}
	}
	return nil
}

func firstWords(s recording.Script) string {
	for _, p := range s.Passages {
		if len(p.Sentences) > 0 {
			return p.Sentences[0]
		}
	}
	return ""
}

// members wait or do not, and have room or do not.
type members struct {
	waiting atomic.Bool
	full    atomic.Bool
}

func (m *members) Waiting() bool { return m.waiting.Load() }

func (m *members) Admit(context.Context, time.Duration) (func(), error) {
	if m.full.Load() {
		return nil, meditation.Busy(time.Minute)
	}
	return func() {}, nil
}

// narrators is the part of a process that narrates published articles and library meditations.
type narrators struct {
	*publication.Service
	members *members
	worker  uuid.UUID
	stop    func()
}

// narrators starts that part; with work it narrates, as a worker that has sent a heartbeat.
func (h *harness) narrators(work bool) *narrators {
	h.t.Helper()
	ports := h.ports(nil)
	counted, err := metrics.New(h.meters)
	require.NoError(h.t, err)
	notifier := store.NewNotifier(h.db.Pool, testkit.Logger(h.t))
	n := &narrators{members: &members{}, worker: uuid.New()}
	kept, _ := ports.Store.(*store.Store)
	n.Service = publication.New(publication.Ports{
		Store: kept, Recorder: h.recorder, Members: n.members, Blobs: h.blobs, Notifier: notifier, Metrics: counted, Now: h.clock, Log: testkit.Logger(h.t),
	})
	require.NoError(h.t, ports.Store.Beat(h.t.Context(), meditation.Worker{ID: n.worker, Recorders: 1, Lease: time.Hour}, true))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = notifier.Run(ctx) })
	if work {
		running.Go(func() { _ = publication.NewWorker(n.Service, n.worker).Run(ctx) })
	}
	n.stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	h.t.Cleanup(n.stop)
	return n
}

func asked(sentence string) publication.Request {
	return publication.Request{ID: "aaaabbbbccccdddd", Passages: []recording.Passage{
		{Sentences: []string{sentence}, Pause: time.Second}, {Sentences: []string{"Two.", "Three."}}, {Sentences: []string{"Four."}},
	}}
}

func (h *harness) narrated(n *narrators, id string, state publication.State) publication.Narration {
	h.t.Helper()
	var found publication.Narration
	require.Eventually(h.t, func() bool {
		var err error
		found, err = n.Get(h.t.Context(), id)
		return err == nil && found.State == state
	}, waitFor, 5*time.Millisecond, "state %s", state)
	return found
}

func (h *harness) wholeNarration(n *narrators, id string) []byte {
	h.t.Helper()
	file, err := n.OpenAudio(h.t.Context(), id)
	require.NoError(h.t, err)
	data, err := io.ReadAll(file)
	require.NoError(h.t, errors.Join(err, file.Close()))
	return data
}

func soundOf(id string, segments int) (whole []byte) {
	for i := range segments {
		whole = append(whole, sound(id, i)...)
	}
	return whole
}

func TestNarrationIsMadeOnceJoinedAndAnnounced(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(true), asked("One.")
	started, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "Maren", started.NarratorName)
	made := h.narrated(n, r.ID, publication.Ready)
	require.Equal(t, 3, made.Done)
	require.Equal(t, 3*segmentTime, made.Duration)
	whole := soundOf("One.", 3)
	require.Equal(t, whole, h.wholeNarration(n, r.ID))
	require.EqualValues(t, len(whole), made.Bytes)
	require.Equal(t, 1, h.events()["narrated"])
	require.Zero(t, h.count("SELECT count(*) FROM narration_segments"))
	require.Eventually(t, func() bool {
		keys, err := h.blobs.List(t.Context(), "narrations/")
		return err == nil && len(keys) == 2
	}, waitFor, 5*time.Millisecond, "the segments are gone, sound and words stay")

	again, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, publication.Ready, again.State)
	other := asked("Another.")
	_, err = n.Start(t.Context(), other)
	require.ErrorIs(t, err, publication.ErrReused)
	other.ID, other.NarratorID = "ccccddddeeeeffff", "nobody"
	_, err = n.Start(t.Context(), other)
	require.ErrorIs(t, err, publication.ErrNarrator)
	_, err = n.Get(t.Context(), other.ID)
	require.ErrorIs(t, err, publication.ErrNotFound)
	require.InDelta(t, 1, h.metric("narrations.ended"), 0)
}

// Quiet is a passage without sentences: what is narrated is what was asked for, and no silence more.
func TestANarrationBeginsWithTheQuietThatIsAskedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(false), asked("One.")
	r.Immersive = true
	r.Passages = append([]recording.Passage{{Pause: 6 * time.Second}}, r.Passages...)
	started, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "Isla", started.NarratorName)
	require.Equal(t, 4, started.Total)
	require.Equal(t, r.Passages, started.Passages)
	for _, passages := range [][]recording.Passage{nil, {{Pause: time.Second}}, {{Sentences: []string{"One.", " "}}}} {
		_, err = n.Start(t.Context(), publication.Request{ID: "ddddeeeeffffgggg", Passages: passages})
		require.ErrorIs(t, err, publication.ErrNoWords)
	}
}

// The process dies with two segments stored: the next worker does not make them again.
func TestNarrationOfAKilledProcessContinuesBehindItsLastSegment(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(false), asked("One.")
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	dead, ok, err := n.Store.ClaimNarration(t.Context(), n.worker)
	require.NoError(t, err)
	require.True(t, ok)
	for i := range 2 {
		key := fmt.Sprintf("narrations/%s/segments/%04d-1.mp3", r.ID, i)
		require.NoError(t, h.blobs.Put(t.Context(), key, bytes.NewReader(sound("One.", i)), int64(len(sound("One.", i)))))
		require.NoError(t, n.Store.AddNarrationSegment(t.Context(), dead, publication.Segment{
			Index: i, Duration: segmentTime, Bytes: int64(len(sound("One.", i))), BlobKey: key,
		}))
	}
	heir := h.narrators(true)
	_, ok, err = heir.Store.ClaimNarration(t.Context(), heir.worker)
	require.NoError(t, err)
	require.False(t, ok, "its worker lives")
	h.exec("UPDATE workers SET lost_at = now() WHERE id = $1", n.worker)
	h.narrated(heir, r.ID, publication.Ready)
	require.Equal(t, []int{2}, h.recorder.began("One."))
	require.Equal(t, soundOf("One.", 3), h.wholeNarration(heir, r.ID))
	err = n.Store.AddNarrationSegment(t.Context(), dead, publication.Segment{Index: 2, BlobKey: "late"})
	require.ErrorIs(t, err, publication.ErrLost, "the dead one writes nothing more")
}

func TestAProcessThatIsStoppedGivesItsNarrationBackAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	begun := make(chan struct{}, 1)
	h.recorder.hook(func(ctx context.Context, _ string, i int) error {
		if i == 0 {
			return nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	n, r := h.narrators(true), asked("One.")
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	<-begun
	n.stop()
	require.Equal(t, 1, h.count("SELECT count(*) FROM narrations WHERE state = 'waiting' AND worker_id IS NULL AND tries = 0 AND passages_done = 1"))
	h.recorder.hook(nil)
	h.narrated(h.narrators(true), r.ID, publication.Ready)
	require.Equal(t, []int{0, 1}, h.recorder.began("One."))
}

func TestANarrationThatNeverGetsOnFailsAndIsTriedAgainWhenItIsStartedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.recorder.hook(func(_ context.Context, _ string, i int) error {
		if i == 1 {
			return errors.New("a cough")
		}
		return nil
	})
	n, r := h.narrators(true), asked("One.")
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	for {
		h.exec("UPDATE narrations SET next_try_at = now() WHERE state = 'waiting'") // nobody waits for the waits
		found, err := n.Get(t.Context(), r.ID)
		require.NoError(t, err)
		if found.State == publication.Failed {
			require.Equal(t, publication.ReasonNarration, found.FailureReason)
			break
		}
		select {
		case <-t.Context().Done():
			t.Fatal("it never failed")
		case <-time.After(10 * time.Millisecond):
		}
	}
	require.Len(t, h.recorder.began("One."), publication.MaxTries+1, "the first got on by a segment")
	require.Zero(t, h.events()["narrated"])

	h.recorder.hook(nil)
	_, err = n.Start(t.Context(), r)
	require.NoError(t, err)
	h.narrated(n, r.ID, publication.Ready)
	began := h.recorder.began("One.")
	require.Equal(t, 1, began[len(began)-1], "the first segment is kept")
}

func TestANarrationGivesWayToMembersWhoWait(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(true), asked("One.")
	var rude atomic.Bool
	h.recorder.hook(func(_ context.Context, _ string, i int) error {
		switch i {
		case 1: // somebody presses Generate while it is spoken
			n.members.waiting.Store(true)
		case 2:
			rude.Store(n.members.Waiting())
		}
		return nil
	})
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return h.count("SELECT passages_done FROM narrations") == 2 }, waitFor, 5*time.Millisecond)
	n.members.waiting.Store(false)
	h.narrated(n, r.ID, publication.Ready)
	require.False(t, rude.Load(), "it went on while a member waited")
}

func TestWhatTheBlobStoreLosesOfANarrationIsMadeAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(true), asked("One.")
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	h.narrated(n, r.ID, publication.Ready)
	require.NoError(t, h.blobs.Delete(t.Context(), "narrations/"+r.ID+"/audio.mp3"))
	_, err = n.OpenAudio(t.Context(), r.ID)
	require.ErrorIs(t, err, publication.ErrNotFound)
	h.narrated(n, r.ID, publication.Ready)
	require.Equal(t, soundOf("One.", 3), h.wholeNarration(n, r.ID))
	require.Equal(t, []int{0, 0}, h.recorder.began("One."))

	// A segment that is gone when it is to be joined: from the beginning.
	lost := false
	h.recorder.hook(func(ctx context.Context, _ string, i int) error {
		if i == 2 && !lost {
			lost = true
			return h.blobs.DeleteFolder(ctx, "narrations/eeeeffff00001111/segments")
		}
		return nil
	})
	other := asked("Another.")
	other.ID = "eeeeffff00001111"
	_, err = n.Start(t.Context(), other)
	require.NoError(t, err)
	h.narrated(n, other.ID, publication.Ready)
	require.Equal(t, soundOf("Another.", 3), h.wholeNarration(n, other.ID))
}

func TestAWeekAfterItsEndANarrationIsGoneWithItsSound(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n, r := h.narrators(true), asked("One.")
	_, err := n.Start(t.Context(), r)
	require.NoError(t, err)
	h.narrated(n, r.ID, publication.Ready)
	h.pass(publication.KeptFor - time.Second)
	require.NoError(t, n.Sweep(t.Context()))
	require.NotEmpty(t, h.wholeNarration(n, r.ID))
	h.pass(time.Second)
	require.Zero(t, testkit.Retain(t, h.db.Pool, store.Retention(), h.clock()), "not before its sound")
	require.NoError(t, n.Sweep(t.Context()))
	_, err = n.Get(t.Context(), r.ID)
	require.ErrorIs(t, err, publication.ErrNotFound)
	keys, err := h.blobs.List(t.Context(), "narrations/")
	require.NoError(t, err)
	require.Empty(t, keys)
	_, err = n.Start(t.Context(), r)
	require.NoError(t, err)
	h.narrated(n, r.ID, publication.Ready)
	require.Equal(t, soundOf("One.", 3), h.wholeNarration(n, r.ID), "made again")

	h.pass(publication.KeptFor)
	require.NoError(t, n.Sweep(t.Context()))
	require.Equal(t, 1, testkit.Retain(t, h.db.Pool, store.Retention(), h.clock().Add(retention.Day)))
	require.Zero(t, h.count("SELECT count(*) FROM narrations"))
}

func TestAPassageIsSpokenAtOnceByTheRulesOfMembers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	n := h.narrators(false)
	spoken, err := n.Speak(t.Context(), "wren", false, recording.Passage{Sentences: []string{"One.", "Two."}})
	require.NoError(t, err)
	require.Equal(t, "Wren", spoken.Narrator.Name)
	require.Equal(t, sound("One.", 0), spoken.MP3)
	require.Equal(t, segmentTime, spoken.Duration)
	_, err = n.Speak(t.Context(), "nobody", false, recording.Passage{Sentences: []string{"One."}})
	require.ErrorIs(t, err, publication.ErrNarrator)
	_, err = n.Speak(t.Context(), "", false, recording.Passage{Sentences: []string{strings.Repeat("a", 1201)}})
	require.ErrorIs(t, err, publication.ErrTooLong)
	_, err = n.Speak(t.Context(), "", false, recording.Passage{Pause: time.Second})
	require.ErrorIs(t, err, publication.ErrNoWords)
	n.members.full.Store(true)
	_, err = n.Speak(t.Context(), "", false, recording.Passage{Sentences: []string{"One."}})
	require.ErrorIs(t, err, meditation.ErrBusy)
	require.Zero(t, h.count("SELECT count(*) FROM narrations"), "nothing is kept")
}

// The requests go to the whole service, from content and from another service.
func TestOnlyContentMayHaveTextsNarrated(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	as := func(service string) generationv1connect.NarrationServiceClient {
		return generationv1connect.NewNarrationServiceClient(testkit.Dialer(t, service).To(Name, url))
	}
	req := &generationv1.StartNarrationRequest{Id: "a-bench-in-the-square", Passages: []*generationv1.Passage{{PauseMs: 6000}, {Sentences: []string{"One."}, PauseMs: 1000}}}
	_, err := as("gateway").StartNarration(t.Context(), req)
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
	_, err = as("content").StartNarration(t.Context(), req)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		res, err := as("content").GetNarration(t.Context(), &generationv1.GetNarrationRequest{Id: req.GetId()})
		return err == nil && res.GetNarration().GetStage() == generationv1.NarrationStage_NARRATION_STAGE_READY
	}, waitFor, 10*time.Millisecond)
	path := url + "/v1/narrations/" + req.GetId() + "/audio"
	require.Equal(t, append(sound("One.", 0), sound("One.", 1)...), body(t, hear(t, "content", "", path, nil)))
	require.Equal(t, http.StatusPartialContent, hear(t, "content", "", path, http.Header{"Range": {"bytes=1-3"}}).StatusCode)
	require.Equal(t, http.StatusForbidden, hear(t, "gateway", "", path, nil).StatusCode)
	require.Equal(t, http.StatusNotFound, hear(t, "content", "", url+"/v1/narrations/another-bench/audio", nil).StatusCode)
	words := url + "/v1/narrations/" + req.GetId() + "/words"
	require.Contains(t, string(body(t, hear(t, "content", "", words, nil))), "WEBVTT\n\n00:00:05.000 --> 00:00:09.000\nOne.\n")
	require.Equal(t, http.StatusForbidden, hear(t, "gateway", "", words, nil).StatusCode)
	require.Equal(t, http.StatusNotFound, hear(t, "content", "", url+"/v1/narrations/another-bench/words", nil).StatusCode)
	res, err := as("content").SpeakPassage(t.Context(), &generationv1.SpeakPassageRequest{Passage: &generationv1.Passage{Sentences: []string{"One."}}})
	require.NoError(t, err)
	require.Equal(t, sound("One.", 0), res.GetMp3())
}
