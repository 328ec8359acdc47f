package publication

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/joining"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/pause"
)

const (
	// pollEvery finds what a dead worker had, or what waits for its next try; what is new is notified.
	pollEvery = 2 * time.Second
	// yieldTime is how often a narration that gave way to members looks whether they still wait.
	yieldTime = 250 * time.Millisecond
	// awayPause before work is taken up again that needs a part which is away.
	awayPause = 5 * time.Second
)

// endingTime bounds what is still written down when the work has stopped.
var endingTime = deadline.Of(3 * time.Second)

// Worker makes one narration after the other.
type Worker struct {
	*Service

	// id is the process's worker id, the same as for members' meditations: a process that takes over those of a dead worker
	// takes over its narration too.
	id uuid.UUID
}

// NewWorker makes the worker of a process.
func NewWorker(s *Service, id uuid.UUID) *Worker { return &Worker{s, id} }

// Run narrates until ctx ends. It then gives back what it has in hand, and returns when that is done.
func (w *Worker) Run(ctx context.Context) error {
	notified, unsubscribe := w.Notifier.Subscribe(TopicNarrations)
	defer unsubscribe()
	for ctx.Err() == nil {
		if w.once(ctx) {
			continue
		}
		poll := time.NewTimer(pollEvery)
		select {
		case <-notified:
		case <-poll.C:
		case <-ctx.Done():
		}
		poll.Stop()
	}
	return nil
}

// once narrates what waits longest, as far as it goes now; it says false where there was nothing to do.
func (w *Worker) once(ctx context.Context) bool {
	if w.Members.Waiting() {
		return false
	}
	n, ok, err := w.Store.ClaimNarration(ctx, w.id)
	if err != nil && ctx.Err() == nil {
		w.Log.WarnContext(ctx, "narrations cannot be read", "error", err)
	}
	if !ok || err != nil {
		return false
	}
	if err := w.narrate(ctx, n); err != nil && !errors.Is(err, ErrLost) {
		w.setBack(ctx, n, err)
	}
	return true
}

// fault is a setback that the narration itself has made, rather than a part that was away.
type fault struct{ error }

func (f fault) Unwrap() error { return f.error }

// narrate goes on behind the last stored segment, and joins them.
func (w *Worker) narrate(ctx context.Context, n Narration) (err error) {
	defer recovery.ToError(&err)
	if n.Tries > MaxTries {
		w.Log.ErrorContext(ctx, "a narration has failed", "narration", n.ID, "attempt", n.Attempt)
		if err := w.Store.FailNarration(ctx, n, ReasonNarration, w.Now().UTC()); err != nil {
			return err
		}
		w.Metrics.Narrated(ctx, Failed)
		return nil
	}
	if err := w.record(ctx, n); err != nil {
		return err
	}
	if err := w.join(ctx, n); err != nil {
		return err
	}
	if err := w.Store.CompleteNarration(ctx, n, w.Now().UTC()); err != nil {
		return err
	}
	w.Metrics.Narrated(ctx, Ready)
	if err := w.Blobs.DeleteFolder(ctx, segments(n.ID)); err != nil {
		w.Log.WarnContext(ctx, "segments stay until the narration goes", "narration", n.ID, "error", err)
	}
	return nil
}

func segments(id string) string { return folder(id) + "/segments" }

// segmentKey holds the attempt: a worker that lost the work cannot write over what the next one made.
func segmentKey(n Narration, index int) string {
	return fmt.Sprintf("%s/%04d-%d.mp3", segments(n.ID), index, n.Attempt)
}

func (w *Worker) record(ctx context.Context, n Narration) error {
	var storing error
	err := w.Recorder.RecordInBackground(ctx, n.NarratorID, recording.Script{Passages: recording.ByNoMember(n.Passages)}, n.Done,
		func(made recording.Segment, mp3 []byte) error {
			storing = w.store(ctx, n, made, mp3)
			return storing
		})
	if err != nil && storing == nil && ctx.Err() == nil {
		return fault{fmt.Errorf("narrate: %w", err)}
	}
	return err
}

// store stores a segment, the sound first, and gives way to members who wait.
func (w *Worker) store(ctx context.Context, n Narration, made recording.Segment, mp3 []byte) error {
	s := Segment{Index: made.Index, Duration: made.Duration, Bytes: int64(len(mp3)), BlobKey: segmentKey(n, made.Index)}
	if err := w.Blobs.Put(ctx, s.BlobKey, bytes.NewReader(mp3), s.Bytes); err != nil {
		return err
	}
	if err := w.Store.AddNarrationSegment(ctx, n, s); err != nil {
		return err
	}
	for w.Members.Waiting() {
		if err := pause.For(ctx, yieldTime); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// join makes the whole file of the stored segments, byte for byte; doing it twice makes the same file.
func (w *Worker) join(ctx context.Context, n Narration) error {
	stored, err := w.Store.NarrationSegments(ctx, n.ID)
	if err != nil {
		return err
	}
	keys, size := make([]string, len(stored)), int64(0)
	for i, s := range stored {
		keys[i], size = s.BlobKey, size+s.Bytes
	}
	whole := joining.NewReader(ctx, w.Blobs, keys)
	err = w.Blobs.Put(ctx, audioKey(n.ID), whole, size)
	if err = errors.Join(whole.Lost(), err, whole.Close()); err != nil {
		return fmt.Errorf("join the narration: %w", err)
	}
	return w.sayWhen(ctx, n, stored)
}

// sayWhen stores when each sentence is heard. What an earlier release has cut otherwise goes without it.
func (w *Worker) sayWhen(ctx context.Context, n Narration, stored []Segment) error {
	parts := w.Recorder.BackgroundSegments(recording.Script{Passages: n.Passages})
	if len(parts) != len(stored) {
		return nil
	}
	vtt := captions(parts, stored)
	return w.Blobs.Put(ctx, wordsKey(n.ID), bytes.NewReader(vtt), int64(len(vtt)))
}

// setBack gives work back that has not ended, also while the process is being stopped.
func (w *Worker) setBack(ctx context.Context, n Narration, why error) {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endingTime)
	defer cancel()
	var own fault
	counts := errors.As(why, &own) || errors.Is(why, recovery.ErrPanic)
	var err error
	switch {
	case ctx.Err() != nil:
		err = w.Store.GiveNarrationBack(ending, n, 0, false)
	case errors.Is(why, blob.ErrNotFound):
		err = w.Store.RestartNarration(ending, n, backoff(n.Tries))
	case counts:
		err = w.Store.GiveNarrationBack(ending, n, backoff(n.Tries), true)
	default:
		err = w.Store.GiveNarrationBack(ending, n, awayPause, false)
	}
	if ctx.Err() == nil {
		w.Log.WarnContext(ctx, "a narration had a setback", "narration", n.ID, "attempt", n.Attempt, "error", why)
	}
	if err != nil && !errors.Is(err, ErrLost) {
		w.Log.WarnContext(ctx, "a narration cannot be given back; it is taken up again as it is", "narration", n.ID, "error", err)
	}
}

// backoff before it is tried again: a second, doubled for each try, at most a minute.
func backoff(tries int) time.Duration { return min(time.Second<<min(tries, 10), time.Minute) }
