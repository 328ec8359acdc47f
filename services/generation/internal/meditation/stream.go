package meditation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
)

// streamer is who writes a script that is spoken meanwhile: one that begins, where the writer streams it, and every one that was begun so.
func (j *job) streamer() (Streamer, bool) {
	w, can := j.Writer.(Streamer)
	return w, can && (j.m.IsDraft() || j.m.State == Writing && w.Streams(j.m))
}

// stream has the script written and records it meanwhile. Both have ended when it returns.
func (j *job) stream(ctx context.Context, w Streamer) error {
	brief, read := j.m, newReading()
	sheet, err := j.sheet(ctx, read)
	if err != nil {
		return err
	}
	if brief.Past, brief.Tellable, err = j.Store.SpokenLately(ctx, j.m, RememberedScripts); err != nil {
		return fmt.Errorf("what was spoken lately: %w", err)
	}
	j.outlook(read)
	ctx, cancel := context.WithCancel(ctx)
	var writing sync.WaitGroup
	defer writing.Wait()
	defer cancel()
	writing.Go(func() { read.end(j.writeSheet(ctx, w, brief, sheet)) })
	if _, err := read.next(ctx, 0); err != nil { // from then on the meditation is narrated, and j.m is not the writer's any more
		return errors.Join(err, ctx.Err())
	}
	if err := j.record(ctx); err != nil {
		return err
	}
	return read.ended(ctx)
}

// sheet is what is stored of the script. What is added to it is stored, and can be read then.
func (j *job) sheet(ctx context.Context, read *reading) (*Sheet, error) {
	var said []recording.Passage
	asked := false
	if j.m.IsDraft() {
		var err error
		if said, asked, err = j.Store.Draft(ctx, j.m.ID); err != nil {
			return nil, err
		}
		read.add(said)
	}
	m, count := j.m, len(said)
	add := func(passages []recording.Passage) error {
		if err := j.addPassages(ctx, m, count, passages); err != nil {
			return err
		}
		count += len(passages)
		read.add(passages)
		return nil
	}
	return NewSheet(said, asked, add, func() error { return j.Store.AskRest(ctx, m) }), nil
}

// addPassages stores passages. The first ones start the narration, whose length is what the size lets expect.
func (j *job) addPassages(ctx context.Context, m Meditation, said int, passages []recording.Passage) error {
	if said > 0 {
		return j.Store.AddPassages(ctx, m, said, passages)
	}
	started, err := j.Store.SaveScript(ctx, m, recording.Script{Passages: passages}, 0, j.expect(nil))
	if err == nil {
		j.m = started
	}
	return err
}

// outlook is what can be said of the script before it is whole: what is expected of it, and how it is read.
func (j *job) outlook(read *reading) {
	b := j.m.Brief
	j.script = recording.Script{Words: (b.MinWords + b.MaxWords) / 2, Passages: []recording.Passage{{Pause: b.Pause}}}
	j.coming = &recording.Coming{Passages: b.Breaks, Words: b.MaxWords, Next: read.next}
}

// writeSheet has the script written, and says in the store that it is whole.
func (j *job) writeSheet(ctx context.Context, w Streamer, brief Meditation, sheet *Sheet) (err error) {
	defer recovery.ToError(&err)
	switch err := w.Stream(ctx, brief, sheet); {
	case sheet.failed != nil:
		return sheet.failed
	case err != nil:
		return fault{fmt.Errorf("write script: %w", err)}
	}
	whole := recording.Script{Passages: sheet.Said}
	for _, p := range whole.Passages {
		for _, sentence := range p.Sentences {
			whole.Words += len(strings.Fields(sentence))
		}
	}
	return j.Store.CloseScript(ctx, brief, whole.Words, j.Recorder.Segments(whole))
}

// unwrittenError is why there is no further passage; it is no fault of the narrator's.
type unwrittenError struct{ error }

// Unwrap is what the writer says.
func (u unwrittenError) Unwrap() error { return u.error }

// reading gives passages one after another while they are being written.
type reading struct {
	mu       sync.Mutex
	passages []recording.Passage
	over     bool
	err      error
	// changed is closed, and another takes its place, when there is something to read.
	changed chan struct{}
}

func newReading() *reading { return &reading{changed: make(chan struct{})} }

func (r *reading) change(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *reading) add(passages []recording.Passage) {
	r.change(func() { r.passages = append(r.passages, passages...) })
}

// end says that there will be no more, and why; nil where the script is whole.
func (r *reading) end(err error) { r.change(func() { r.over, r.err = true, err }) }

// await waits until enough holds, which is asked under mu, or the writing has ended.
func (r *reading) await(ctx context.Context, enough func() bool) error {
	for {
		r.mu.Lock()
		has, over, err, changed := enough(), r.over, r.err, r.changed
		r.mu.Unlock()
		switch {
		case has:
			return nil
		case over:
			return unwrittenError{err}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next waits for the passage with that index.
func (r *reading) next(ctx context.Context, i int) (p recording.Passage, err error) {
	err = r.await(ctx, func() bool {
		if i < len(r.passages) {
			p = r.passages[i]
		}
		return i < len(r.passages)
	})
	return p, err
}

// ended waits until the script is whole, and says why it is not.
func (r *reading) ended(ctx context.Context) error {
	return r.await(ctx, func() bool { return r.over && r.err == nil })
}
