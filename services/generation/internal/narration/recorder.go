// Package narration turns a script into a recording: it has the passages spoken, gives the speech a
// narrator's sound, sets the planned silences and encodes the result segment by segment. It writes
// no script, stores nothing and knows no member.
//
// A segment is a pure function of the narrator, its sentences and its silence. So segments are made
// side by side, the same script gives the same bytes, and a recording is continued after a crash as
// if nothing had happened.
package narration

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/sound/mp3"
)

// format of all recordings: 64 kbps mono, of which a frame is exactly 24 ms and 192 bytes.
var format = mp3.Config{Rate: dsp.Rate, Channels: 1, BitrateKbps: 64}

// Recorder makes recordings of scripts. It is safe for concurrent use; all scripts share its workers.
type Recorder struct {
	cast    cast
	codec   *mp3.Codec
	workers *prioritySemaphore
	ahead   int // how many segments of a script are made before they are asked for
	pace    pace
	room    room

	// SpeedLimit is how many seconds of sound each script's recording gives a second at most, after its first
	// segment; 0 sets no limit. It is set before the first recording.
	SpeedLimit float64
}

// New makes a Recorder that works on at most workers segments at once, whatever the number of
// scripts. One worker a core is right for an embedded synthesiser. It fails where narrators.yaml has a fault, or names
// a synthesiser that is not among synthesisers, or a voice that the synthesiser does not have.
func New(synthesisers Synthesisers, codec *mp3.Codec, workers int) (*Recorder, error) {
	cast, err := newCast(narratorsFile, synthesisers)
	if err != nil {
		return nil, err
	}
	workers = max(workers, 1)
	return &Recorder{cast: cast, codec: codec, workers: newPrioritySemaphore(workers), ahead: workers - 1}, nil
}

// SpeakWith has another synthesiser speak for the one of that name. It is called before the first recording.
func (r *Recorder) SpeakWith(name string, s Synthesiser) { r.cast.speakWith(name, s) }

// Segments says how many segments the recording of a script has.
func (*Recorder) Segments(s recording.Script) int { return len(plan(s.Passages)) }

// Record speaks the script as a narrator, the default one where the id is unknown and nothing is stored yet. It emits the
// segments with their MP3 in order, from index from on, which begins at startAt in the whole
// recording (0 and 0 for all of it). The same built-in narrator and script give the same bytes, so a
// recording whose first segments are stored can be continued after a crash. It ends with emit's
// error, the synthesiser's, ctx's, or ErrNarrator.
func (r *Recorder) Record(
	ctx context.Context, narratorID string, s recording.Script, from int, startAt time.Duration,
	emit func(s recording.Segment, mp3 []byte) error,
) error {
	parts := plan(s.Passages)
	from = min(max(from, 0), len(parts))
	n, err := r.begin(ctx, narratorID, parts, from)
	if err != nil {
		return err
	}
	return r.record(ctx, n, &whole{parts: parts, next: from, bell: !s.NoBell}, from, startAt, emit)
}

// record has a narrator speak the parts that the source gives, of which the first has the index from.
func (r *Recorder) record(
	ctx context.Context, n narrator, parts source, from int, startAt time.Duration, emit func(s recording.Segment, mp3 []byte) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	var rendering sync.WaitGroup
	defer rendering.Wait() // nothing goes on behind the caller's back
	defer cancel()
	results, broken := make(chan chan result, r.ahead), make(chan error, 1)
	rendering.Go(func() {
		if err := r.renderAll(ctx, n, parts, from, results); err != nil {
			broken <- err
		}
	})
	last, sound := time.Now(), time.Duration(0) //nolint:forbidigo // a duration that is measured; nothing is decided by the time
	for at := from; ; at++ {
		next, more, err := receive(ctx, results, broken)
		if err != nil || !more {
			return err
		}
		if err := r.slowDown(ctx, last, sound); err != nil {
			return err
		}
		next.segment.Index = at
		place(&next.segment, startAt)
		startAt += next.segment.Duration
		if err := emit(next.segment, next.mp3); err != nil {
			return err
		}
		last, sound = time.Now(), next.segment.Duration //nolint:forbidigo // as above
	}
}

// ErrNarrator says that a recording cannot be continued, since the narrator who began it is not among those of this process.
var ErrNarrator = errors.New("the narrator who began this recording is not here")

// begin finds the narrator, who is the same from the first part to the last, and asks whether there is money for a recording that
// begins now.
func (r *Recorder) begin(ctx context.Context, id string, parts []recording.Passage, from int) (narrator, error) {
	return r.admit(ctx, id, charactersOf(parts), from)
}

// admit is begin for a recording of so many characters.
func (r *Recorder) admit(ctx context.Context, id string, characters, from int) (narrator, error) {
	n, known := r.cast.find(id)
	switch {
	case from > 0 && !known:
		return narrator{}, fmt.Errorf("%w: %q", ErrNarrator, id)
	case !known:
		n = r.cast.voiceOnly
	}
	if n.admitter == nil || from > 0 {
		return n, nil
	}
	return n, n.admitter.Admit(ctx, characters)
}

// charactersOf counts what is spoken.
func charactersOf(parts []recording.Passage) (characters int) {
	for _, p := range parts {
		for _, sentence := range p.Sentences {
			characters += utf8.RuneCountInString(sentence)
		}
	}
	return characters
}

type result struct {
	segment recording.Segment
	mp3     []byte
	err     error
}

// renderAll renders the parts in parallel, each on a worker, and sends their results in order; then it closes results. It runs ahead by no
// more parts than there are workers, and ends with ctx. Its error is ctx's, the source's, or a panic in renderAll itself; a panic in the rendering
// of a part is in that part's result. from is the index of the first part.
func (r *Recorder) renderAll(ctx context.Context, n narrator, parts source, from int, results chan<- chan result) (err error) {
	defer recovery.ToError(&err)
	var rendering sync.WaitGroup
	defer rendering.Wait()
	for i := from; ; i++ {
		p, more, err := parts.take(ctx)
		if err != nil {
			return err
		}
		if !more {
			close(results)
			return nil
		}
		if err := r.workers.acquire(ctx, i == 0); err != nil {
			return err
		}
		rendered := make(chan result, 1)
		rendering.Go(func() {
			defer r.workers.release()
			rendered <- r.renderTimed(ctx, n, p)
		})
		select {
		case results <- rendered:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// renderTimed renders one part and observes the pace. It turns a panic into an error: renderAll starts a goroutine for
// each part, and a panic there would end the process.
func (r *Recorder) renderTimed(ctx context.Context, n narrator, p part) (made result) {
	defer recovery.ToError(&made.err)
	began := time.Now() //nolint:forbidigo // a duration that is measured; nothing is decided by the time
	made.segment, made.mp3, made.err = r.render(ctx, n, p)
	if made.err == nil {
		r.pace.observe(time.Since(began), made.segment.Duration)
	}
	return made
}

// receive waits for the next segment in order, or for the end of their rendering; more is false behind the last one.
func receive(ctx context.Context, results <-chan chan result, broken <-chan error) (next result, more bool, err error) {
	select {
	case rendered, more := <-results:
		if !more {
			return result{}, false, nil
		}
		next := <-rendered
		return next, true, next.err
	case err := <-broken:
		return result{}, false, err
	case <-ctx.Done():
		return result{}, false, ctx.Err()
	}
}

// render makes one segment, placed at 0. The recording's last one ends with a bell.
func (r *Recorder) render(ctx context.Context, n narrator, p part) (_ recording.Segment, mp3 []byte, err error) {
	mix := newMix(p.Pause)
	for i, sentence := range p.Sentences {
		pieces, err := r.speak(ctx, n, sentence, p.beside.of(p.Sentences, i), p.IsCommon(i))
		if err != nil {
			return recording.Segment{}, nil, err
		}
		mix.add(sentence, pieces)
	}
	if mp3, err = r.encode(ctx, mix.finish(p.bell), p.bell); err != nil {
		return recording.Segment{}, nil, err
	}
	frames := len(mp3) / format.FrameBytes()
	return recording.Segment{Duration: duration(frames * format.FrameSamples()), Silence: p.Pause, Lines: mix.lines}, mp3, nil
}

// speak gives one sentence in the narrator's sound, in pieces if it is long.
func (r *Recorder) speak(ctx context.Context, n narrator, text string, beside neighbours, common bool) ([][]float32, error) {
	var pieces [][]float32
	cut := split(text)
	for i, piece := range cut {
		u := n.utterance(piece)
		if u.Common = common; !common {
			near := beside.of(cut, i)
			u.Before, u.After = near.before, near.after
		}
		speech, err := n.synthesiser.Speak(ctx, u)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, n.applyEffects(speech))
	}
	return pieces, nil
}

// encode makes a stream of the samples in the room's own sound, which the next segment's stream goes on with. The
// recording's last one fades away.
func (r *Recorder) encode(ctx context.Context, samples []float32, last bool) ([]byte, error) {
	dsp.AddRoomTone(samples, mp3.Delay, len(samples)+between)
	if last {
		dsp.FadeOut(samples, count(ending))
	}
	stream, err := r.codec.Stream(ctx, format, samples)
	if err != nil {
		return nil, err
	}
	return r.room.seam(ctx, r.codec, stream, last)
}

// place puts a segment and its lines where they are in the whole recording.
func place(s *recording.Segment, start time.Duration) {
	s.Start = start
	for i := range s.Lines {
		s.Lines[i].Start += start
		s.Lines[i].End += start
	}
}

// duration of n samples, and the count of samples in d.
func duration(n int) time.Duration { return time.Duration(n) * time.Second / dsp.Rate }
func count(d time.Duration) int    { return int(d * dsp.Rate / time.Second) }
