// Package narration turns a script's passages into a recording: it has them spoken, gives the
// voice its sound, sets the planned silences and encodes the result segment by segment. It
// writes no script, keeps nothing and knows no member.
//
// A segment is a pure function of the voice, its sentences and its silence. So segments are
// made side by side, the same script gives the same bytes, and a recording is continued after
// a crash as if nothing had happened.
package narration

import (
	"context"
	"sync"
	"time"

	"serein.app/services/generation/internal/narration/sound"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/sound/mp3"
)

// format of all recordings: 64 kbps mono, of which a frame is exactly 24 ms and 192 bytes.
var format = mp3.Config{Rate: sound.Rate, Channels: 1, BitrateKbps: 64}

// Narrator narrates scripts. It is safe for concurrent use; all scripts share its workers.
type Narrator struct {
	synth Synth
	codec *mp3.Codec
	turns *turns
	ahead int // how many segments of a script are made before they are asked for
}

// New makes a Narrator that works on at most workers segments at once, whatever the number of
// scripts. One worker a core is right for an embedded synthesiser.
func New(synth Synth, codec *mp3.Codec, workers int) *Narrator {
	workers = max(workers, 1)
	return &Narrator{synth: synth, codec: codec, turns: &turns{free: workers}, ahead: workers - 1}
}

// Count says how many segments the passages make.
func Count(passages []Passage) int { return len(plan(passages)) }

// Narrate speaks the passages and emits their segments in order, from segment index from on,
// which begins at startAt in the whole recording (0 and 0 for all of it). The same voice and
// passages give the same bytes, so a recording whose first segments are safe can be continued
// after a crash. It ends with emit's error, the synthesiser's, or ctx's.
func (n *Narrator) Narrate(ctx context.Context, voice Voice, passages []Passage, from int, startAt time.Duration, emit func(Segment) error) error {
	parts := plan(passages)
	from = min(max(from, 0), len(parts))
	ctx, cancel := context.WithCancel(ctx)
	var making sync.WaitGroup
	defer making.Wait() // nothing goes on behind the caller's back
	defer cancel()
	results := make(chan chan result, n.ahead)
	making.Go(func() { n.renderAll(ctx, voice, parts, from, results) })
	for i := range parts[from:] {
		made, err := next(ctx, results)
		if err != nil {
			return err
		}
		made.Index = from + i
		made.move(startAt)
		startAt += made.Duration
		if err := emit(made); err != nil {
			return err
		}
	}
	return nil
}

type result struct {
	segment Segment
	err     error
}

// renderAll makes the parts from one on side by side, with every worker whose turn it gets, and
// hands over their results in order. It runs ahead by no more than the workers, and ends with ctx.
func (n *Narrator) renderAll(ctx context.Context, voice Voice, parts []part, from int, results chan<- chan result) {
	var making sync.WaitGroup
	defer making.Wait()
	for i, p := range parts[from:] {
		if n.turns.take(ctx, from+i == 0) != nil {
			return
		}
		r := make(chan result, 1)
		making.Go(func() {
			defer n.turns.give()
			segment, err := n.render(ctx, voice, p)
			r <- result{segment, err}
		})
		select {
		case results <- r:
		case <-ctx.Done():
			return
		}
	}
}

// next waits for the next segment in order.
func next(ctx context.Context, results <-chan chan result) (Segment, error) {
	select {
	case r := <-results:
		made := <-r
		return made.segment, made.err
	case <-ctx.Done():
		return Segment{}, ctx.Err()
	}
}

// render makes one segment, placed at 0. It runs in a goroutine of its own, where a panic would
// end the process.
func (n *Narrator) render(ctx context.Context, voice Voice, p part) (_ Segment, err error) {
	defer recovery.ToError(&err)
	mix := newMix(p.silence)
	for _, sentence := range p.sentences {
		pieces, err := n.sentence(ctx, voice, sentence)
		if err != nil {
			return Segment{}, err
		}
		mix.add(sentence, pieces)
	}
	samples := mix.finish()
	data, err := n.encode(ctx, samples)
	if err != nil {
		return Segment{}, err
	}
	frames := len(data) / format.FrameBytes()
	return Segment{
		MP3:      data,
		Duration: duration(frames * format.FrameSamples()),
		Silence:  p.silence,
		Lines:    mix.lines,
	}, nil
}

// sentence speaks one sentence, in pieces if it is long, and dresses it.
func (n *Narrator) sentence(ctx context.Context, voice Voice, text string) ([][]float32, error) {
	var pieces [][]float32
	for _, piece := range split(text) {
		speech, err := n.synth.Speak(ctx, voice.utterance(piece))
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, voice.dress(speech))
	}
	return pieces, nil
}

// encode makes a whole stream of the samples.
func (n *Narrator) encode(ctx context.Context, samples []float32) ([]byte, error) {
	encoder, err := n.codec.NewEncoder(ctx, format)
	if err != nil {
		return nil, err
	}
	defer func() { _ = encoder.Close(ctx) }()
	data, err := encoder.Encode(ctx, samples)
	if err != nil {
		return nil, err
	}
	last, err := encoder.Flush(ctx)
	return append(data, last...), err
}

// move puts the segment and its lines at their place in the whole recording.
func (s *Segment) move(start time.Duration) {
	s.Start = start
	for i := range s.Lines {
		s.Lines[i].Start += start
		s.Lines[i].End += start
	}
}

// duration of n samples, and the count of samples in d.
func duration(n int) time.Duration { return time.Duration(n) * time.Second / sound.Rate }
func count(d time.Duration) int    { return int(d * sound.Rate / time.Second) }
