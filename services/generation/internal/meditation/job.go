package meditation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"serein.app/services/generation/internal/recovery"
)

// job is one attempt at one meditation. It goes on from whatever earlier attempts kept: a script
// that is kept is not written again, a segment that is kept is not narrated again.
type job struct {
	*Service
	m      Meditation
	script Script
	done   []Segment
}

// safely makes a panic a setback of this meditation alone.
func (j *job) safely(ctx context.Context) (err error) {
	defer recovery.ToError(&err)
	return j.run(ctx)
}

// run works until the meditation has ended, or answers why it stopped.
func (j *job) run(ctx context.Context) error {
	if j.m.State == Finishing {
		return j.finish(ctx)
	}
	if j.m.Tries >= MaxTries {
		return j.fail(ctx, j.reason(), false)
	}
	ctx, cancel := context.WithTimeout(ctx, j.m.Deadline.Sub(j.Now()))
	defer cancel()
	if err := j.make(ctx); err != nil {
		return err
	}
	return j.finish(ctx)
}

// make writes and narrates.
func (j *job) make(ctx context.Context) error {
	if err := j.write(ctx); err != nil {
		return err
	}
	if err := j.narrate(ctx); err != nil {
		return err
	}
	m, err := j.Store.StartFinishing(ctx, j.m)
	if err == nil {
		j.m = m
	}
	return err
}

// write has the script written, or reads the one that is kept.
func (j *job) write(ctx context.Context) (err error) {
	if j.m.State != Writing {
		j.script, err = j.Store.Script(ctx, j.m.ID)
		j.script.Words = j.m.Words
		return err
	}
	if j.script, err = j.Writer.Write(ctx, j.m); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	voice := j.Narrator.Voice(j.m.NarratorID, j.m.Immersive)
	m, err := j.Store.SaveScript(ctx, j.m, j.script, j.Narrator.Count(j.script), expect(j.script, voice, nil))
	if err == nil {
		j.m = m
	}
	return err
}

// narrate has the passages spoken that are not kept yet.
func (j *job) narrate(ctx context.Context) (err error) {
	if j.done, err = j.Store.Segments(ctx, j.m.ID, 0); err != nil {
		return err
	}
	if len(j.done) == j.m.PassagesTotal {
		return nil
	}
	var startAt time.Duration
	if n := len(j.done); n > 0 {
		startAt = j.done[n-1].Start + j.done[n-1].Duration
	}
	err = j.Narrator.Narrate(ctx, j.m.NarratorID, j.script, len(j.done), startAt, func(p Piece) error { return j.keep(ctx, p) })
	if err != nil {
		return fmt.Errorf("narrate from segment %d: %w", len(j.done), err)
	}
	return nil
}

// keep stores a piece: the sound first, then the row that makes it visible.
func (j *job) keep(ctx context.Context, p Piece) error {
	s := Segment{
		Index: p.Index, Start: p.Start, Duration: p.Duration, Silence: p.Silence, Lines: p.Lines,
		BlobKey: j.m.segmentKey(p.Index), Bytes: int64(len(p.MP3)),
	}
	if err := j.Blobs.Put(ctx, s.BlobKey, bytes.NewReader(p.MP3), s.Bytes); err != nil {
		return fmt.Errorf("keep segment %d: %w", p.Index, err)
	}
	done := append(j.done, s)
	voice := j.Narrator.Voice(j.m.NarratorID, j.m.Immersive)
	err := j.Store.AddSegment(ctx, j.m, s, expect(j.script, voice, done))
	if errors.Is(err, ErrLost) {
		// Nobody will ever look for it: the meditation may have been tidied already.
		return errors.Join(err, j.Blobs.Clear(context.WithoutCancel(ctx), s.BlobKey))
	}
	if err == nil {
		j.done = done
	}
	return err
}

// finish joins the file and settles with billing. Whether the hold was captured only billing
// knows, so only its answer ends the work: in time we ask for the money, afterwards for the
// release, and "captured" means that the recording is the member's.
func (j *job) finish(ctx context.Context) error {
	overdue := !j.Now().Before(j.m.Deadline)
	if !overdue {
		if err := j.join(ctx); err != nil {
			return err
		}
	}
	settle := j.Credits.Capture
	if overdue {
		settle = j.Credits.Release
	}
	err := settle(ctx, j.m.UID, j.m.HoldID)
	switch {
	case holdEnded(err):
		return j.fail(ctx, ReasonHoldEnded, true)
	case overdue && err == nil:
		return j.fail(ctx, ReasonTimedOut, true)
	case overdue && errors.Is(err, ErrHoldCaptured):
		if err := j.join(ctx); err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("settle: %w", err)
	}
	return j.Store.Complete(ctx, j.m, j.Now())
}

// join makes the whole file of the kept segments, byte for byte. Doing it twice makes the same file.
func (j *job) join(ctx context.Context) error {
	segments, err := j.Store.Segments(ctx, j.m.ID, 0)
	if err != nil {
		return err
	}
	whole := &chain{ctx: ctx, blobs: j.Blobs, segments: segments}
	err = j.Blobs.Put(ctx, j.m.audioKey(), whole, j.m.AudioBytes)
	if err = errors.Join(err, whole.Close()); err != nil {
		return fmt.Errorf("join the recording: %w", err)
	}
	return nil
}

// fail ends the work. Its hold is released at once if billing answers, otherwise by the sweep.
func (j *job) fail(ctx context.Context, reason string, settled bool) error {
	m, err := j.Store.Fail(ctx, j.m, reason, settled, j.Now())
	if err != nil {
		return err
	}
	if !settled {
		j.settleNow(ctx, m)
	}
	return nil
}

func (j *job) reason() string {
	if j.m.State == Writing {
		return ReasonWriting
	}
	return ReasonNarration
}

// chain reads the segments one after another, with one file open at a time.
type chain struct {
	ctx      context.Context //nolint:containedctx // io.Reader has no place for it
	blobs    Blobs
	segments []Segment
	open     io.ReadSeekCloser
}

// Read reads on, opening the next segment where one ends.
func (c *chain) Read(p []byte) (int, error) {
	for {
		if c.open == nil {
			if len(c.segments) == 0 {
				return 0, io.EOF
			}
			file, err := c.blobs.Open(c.ctx, c.segments[0].BlobKey)
			if err != nil {
				return 0, err
			}
			c.open, c.segments = file, c.segments[1:]
		}
		n, err := c.open.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		err = c.Close()
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// Close closes what is open.
func (c *chain) Close() error {
	if c.open == nil {
		return nil
	}
	err := c.open.Close()
	c.open = nil
	return err
}
