package meditation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/joining"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

const (
	// joinTime bounds joining, which past the deadline nothing else does: a store that stalls would keep the slot.
	joinTime = time.Minute
)

// endHoldTime bounds one question to billing at the end of the work.
var endHoldTime = deadline.Of(5 * time.Second)

// job is one attempt at one meditation. It goes on from whatever earlier attempts stored: a script
// that is stored is not written again, a segment that is stored is not recorded again.
type job struct {
	*Service
	m      Meditation
	script recording.Script
	done   []recording.Segment
	// coming is the script where it is spoken while it is being written; script then has the words and the silence of the size.
	coming *recording.Coming
}

// run works until the meditation has ended, or answers why it stopped. A panic is such an answer too.
func (j *job) run(ctx context.Context) (err error) {
	defer recovery.ToError(&err)
	if j.m.State == Finishing {
		return j.finish(ctx)
	}
	if j.m.Tries >= MaxTries || j.m.Crashes >= MaxCrashes {
		return j.fail(ctx, j.reason(), false)
	}
	ctx, cancel := context.WithTimeout(ctx, j.m.Deadline.Sub(j.Now()))
	defer cancel()
	if err := j.produce(ctx); err != nil {
		return err
	}
	return j.finish(ctx)
}

// produce writes and records.
func (j *job) produce(ctx context.Context) error {
	if err := j.tell(ctx); err != nil {
		return err
	}
	m, err := j.Store.StartFinishing(ctx, j.m)
	if err == nil {
		j.m = m
	}
	return err
}

// tell records the script while it is being written, or once it is whole.
func (j *job) tell(ctx context.Context) error {
	if w, streams := j.streamer(); streams {
		return j.stream(ctx, w)
	}
	if err := j.write(ctx); err != nil {
		return err
	}
	return j.record(ctx)
}

// write has the script written, or reads the one that is stored.
func (j *job) write(ctx context.Context) (err error) {
	if j.m.State != Writing {
		j.script, err = j.Store.Script(ctx, j.m.ID)
		j.script.Words = j.m.Words
		return err
	}
	brief := j.m
	if brief.Past, brief.Tellable, err = j.Store.SpokenLately(ctx, j.m, RememberedScripts); err != nil {
		return fmt.Errorf("what was spoken lately: %w", err)
	}
	if j.script, err = j.Writer.Write(ctx, brief); err != nil {
		return fault{fmt.Errorf("write script: %w", err)}
	}
	m, err := j.Store.SaveScript(ctx, j.m, j.script, j.Recorder.Segments(j.script), j.expect(nil))
	if err == nil {
		j.m = m
	}
	return err
}

// record has the segments made that are not stored yet.
func (j *job) record(ctx context.Context) (err error) {
	if j.done, err = j.Store.Segments(ctx, j.m.ID, 0); err != nil {
		return err
	}
	if j.coming == nil && len(j.done) == j.m.PassagesTotal {
		return nil
	}
	if err := j.ensureNarrator(ctx); err != nil {
		return err
	}
	own, err := j.narrate(ctx)
	if !own || len(j.done) > 0 {
		return err
	}
	instead, outside := j.Recorder.Fallback(j.m.NarratorID)
	if !outside {
		return err
	}
	j.Log.WarnContext(ctx, "an outside narrator has not said the first sentence; a built-in one speaks", "meditation", j.m.ID, "narrator", j.m.NarratorID, "error", err)
	j.Metrics.FellBack(ctx, j.m.NarratorID)
	if err := j.changeNarrator(ctx, instead); err != nil {
		return err
	}
	_, err = j.narrate(ctx)
	return err
}

// ensureNarrator gives a recording of which nothing is stored to the default narrator where its own is none any more, or speaks outside
// by now what its member keeps inside.
func (j *job) ensureNarrator(ctx context.Context) error {
	n, known := j.Recorder.Narrator(j.m.NarratorID)
	gone := !known || j.m.KeepInside && n.Recipient != ""
	if !gone || len(j.done) > 0 {
		return nil
	}
	return j.changeNarrator(ctx, j.Recorder.DefaultNarrator(j.m.Immersive))
}

// changeNarrator has another narrator speak a recording of which nothing is stored, and the member see who that is.
func (j *job) changeNarrator(ctx context.Context, n recording.Narrator) error {
	m, err := j.Store.ChangeNarrator(ctx, j.m, n, expect(j.script, n, nil))
	if err == nil {
		j.m = m
	}
	return err
}

// narrate has the narrator speak what is not stored. own says that the narration failed, rather than what stores it.
func (j *job) narrate(ctx context.Context) (own bool, err error) {
	var startAt time.Duration
	if n := len(j.done); n > 0 {
		startAt = j.done[n-1].Start + j.done[n-1].Duration
	}
	from := len(j.done)
	var storing error
	err = j.speak(budget.ForMember(ctx, j.m.UID), from, startAt, func(s recording.Segment, mp3 []byte) error {
		storing = j.store(ctx, s, mp3)
		return storing
	})
	if unwritten := (unwrittenError{}); err == nil || errors.As(err, &unwritten) {
		return false, err
	}
	err = fmt.Errorf("record from segment %d: %w", from, err)
	if storing == nil && ctx.Err() == nil {
		return true, fault{err}
	}
	return false, err
}

// speak has the narrator speak the script, whole or coming.
func (j *job) speak(ctx context.Context, from int, startAt time.Duration, emit func(recording.Segment, []byte) error) error {
	if j.coming != nil {
		return j.Recorder.Follow(ctx, j.m.NarratorID, *j.coming, from, startAt, emit)
	}
	return j.Recorder.Record(ctx, j.m.NarratorID, j.script, from, startAt, emit)
}

// store stores a segment: the sound first, then the row that makes it visible.
func (j *job) store(ctx context.Context, s recording.Segment, mp3 []byte) error {
	s.BlobKey, s.Bytes = j.m.segmentKey(s.Index), int64(len(mp3))
	if err := j.Blobs.Put(ctx, s.BlobKey, bytes.NewReader(mp3), s.Bytes); err != nil {
		return fmt.Errorf("store segment %d: %w", s.Index, err)
	}
	done := append(j.done, s)
	err := j.Store.AddSegment(ctx, j.m, s, j.expect(done))
	if errors.Is(err, ErrLost) {
		// Nobody will ever look for it: the meditation may have been tidied already.
		ctx, cancel := ending(ctx)
		defer cancel()
		return errors.Join(err, j.Blobs.Delete(ctx, s.BlobKey))
	}
	if err != nil {
		return err
	}
	j.done = done
	if s.Index == 0 {
		j.Metrics.FirstSound(ctx, j.Now().Sub(j.m.CreatedAt))
	}
	return nil
}

// expect the length of the whole with these segments done.
func (j *job) expect(done []recording.Segment) time.Duration {
	return expect(j.script, j.narrator(j.m.NarratorID, j.m.Immersive), done)
}

// finish joins the file and ends the hold. Whether the hold was captured only billing knows, so
// only its answer ends the work: before the deadline we ask for the money, after it for the
// release, and "captured" means that the recording is the member's.
func (j *job) finish(ctx context.Context) error {
	overdue := !j.Now().Before(j.m.Deadline)
	joined := j.join(ctx)
	if joined != nil && (!overdue || errors.Is(joined, ErrLost)) {
		return joined
	}
	err := j.endHold(ctx, overdue)
	switch {
	case holdEnded(err):
		return j.fail(ctx, ReasonHoldEnded, true)
	case overdue && err == nil:
		return j.fail(ctx, ReasonTimedOut, true)
	case overdue && errs.Has(err, errorsv1.Reason_REASON_HOLD_CAPTURED):
		if joined != nil {
			return j.lose(ctx, joined)
		}
	case err != nil:
		return fmt.Errorf("end hold: %w", err)
	}
	ctx, cancel := ending(ctx)
	defer cancel()
	return j.Store.Complete(ctx, j.m, j.Now())
}

// endHold asks billing, for as long as a worker may be held up by it.
func (j *job) endHold(ctx context.Context, overdue bool) error {
	ctx, cancel := context.WithTimeout(ctx, endHoldTime)
	defer cancel()
	if overdue {
		return j.Credits.Release(ctx, j.m.UID, j.m.HoldID)
	}
	return j.Credits.Capture(ctx, j.m.UID, j.m.HoldID)
}

// lose gives up a recording that is paid for and cannot be joined past its deadline. Sound that the store
// says is not there is lost; where the store does not answer we wait for it until the hold's own time is over.
func (j *job) lose(ctx context.Context, why error) error {
	if errs.KindOf(why) != errs.NotFound && j.Now().Before(j.m.CreatedAt.Add(HoldTime)) {
		return why
	}
	j.Log.ErrorContext(ctx, "the sound of a paid meditation is lost; its credits go back", "meditation", j.m.ID, "error", why)
	ctx, cancel := ending(ctx)
	defer cancel()
	m, err := j.Store.Refund(ctx, j.m, ReasonSoundLost, j.Now())
	if err != nil {
		return err
	}
	j.reconcileNow(ctx, m)
	return nil
}

// join makes the whole file of the stored segments, byte for byte. Doing it twice makes the same file, and
// one that an earlier attempt made is good where the segments are gone.
func (j *job) join(ctx context.Context) error {
	err := j.joinSegments(ctx)
	if err == nil || errs.KindOf(err) != errs.NotFound {
		return err
	}
	file, info, oerr := j.Blobs.Open(ctx, j.m.audioKey())
	if oerr != nil {
		return err
	}
	if cerr := file.Close(); cerr != nil || info.Size != j.m.AudioBytes {
		return errors.Join(err, cerr)
	}
	return nil
}

func (j *job) joinSegments(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, joinTime)
	defer cancel()
	segments, err := j.Store.Segments(ctx, j.m.ID, 0)
	if err != nil {
		return err
	}
	keys := make([]string, len(segments))
	for i, s := range segments {
		keys[i] = s.BlobKey
	}
	whole := joining.NewReader(ctx, j.Blobs, keys)
	err = j.Blobs.Put(ctx, j.m.audioKey(), whole, j.m.AudioBytes)
	if lost := j.dropLate(ctx); lost != nil {
		return lost
	}
	if err = errors.Join(whole.Lost(), err, whole.Close()); err != nil {
		return fmt.Errorf("join the recording: %w", err)
	}
	return nil
}

// dropLate answers ErrLost where the work was taken from this attempt while it joined. If it has ended with nothing to
// hear, its folder may have been tidied already, and nobody would ever look for the file. Any later end is tidied later.
func (j *job) dropLate(ctx context.Context) error {
	ctx, cancel := ending(ctx)
	defer cancel()
	err := j.Store.Owned(ctx, j.m)
	if !errors.Is(err, ErrLost) {
		return err
	}
	m, gerr := j.Store.Get(ctx, j.m.UID, j.m.ID)
	switch {
	case gerr != nil && !errors.Is(gerr, ErrNotFound):
		return errors.Join(err, gerr)
	case gerr == nil && m.State.Audible():
		return err
	}
	return errors.Join(err, j.Blobs.Delete(ctx, j.m.audioKey()))
}

// fail ends the work. Its hold is released at once if billing answers, otherwise by the sweep.
func (j *job) fail(ctx context.Context, reason string, reconciled bool) error {
	ctx, cancel := ending(ctx)
	defer cancel()
	m, err := j.Store.Fail(ctx, j.m, reason, reconciled, j.Now())
	if err != nil {
		return err
	}
	if !reconciled {
		j.reconcileNow(ctx, m)
	}
	return nil
}

func (j *job) reason() string {
	if j.m.State == Writing {
		return ReasonWriting
	}
	return ReasonNarration
}
