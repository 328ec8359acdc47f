package narration

import (
	"context"
	"time"

	"serein.app/services/generation/internal/recording"
)

// BackgroundSegments are the passages of which RecordInBackground makes one segment each.
func (*Recorder) BackgroundSegments(s recording.Script) []recording.Passage {
	return planBackground(s.Passages)
}

// RecordInBackground is Record for a script that no listener waits for. It makes one segment after the other, each of a
// sentence or less, on a worker that no member's meditation needs. So a member who presses Generate waits for one sentence
// at most, and only if the recorder has a single worker. Segments are numbered from index from on and placed at 0.
func (r *Recorder) RecordInBackground(
	ctx context.Context, narratorID string, s recording.Script, from int, emit func(s recording.Segment, mp3 []byte) error,
) error {
	parts := planBackground(s.Passages)
	n, err := r.begin(ctx, narratorID, parts, from)
	if err != nil {
		return err
	}
	for i := max(from, 0); i < len(parts); i++ {
		if err := r.workers.acquireSpare(ctx); err != nil {
			return err
		}
		made := r.renderTimed(ctx, n, part{parts[i], around(parts, i), false})
		r.workers.release()
		if made.err != nil {
			return made.err
		}
		made.segment.Index = i
		if err := emit(made.segment, made.mp3); err != nil {
			return err
		}
	}
	return nil
}

// planBackground cuts passages into sentences, and long sentences where they are cut anyway. A passage without a
// sentence is quiet.
func planBackground(passages []recording.Passage) (parts []recording.Passage) {
	for _, p := range passages {
		var pieces []recording.Passage
		for i, sentence := range p.Sentences {
			for _, piece := range split(sentence) {
				pieces = append(pieces, recording.Passage{Sentences: []string{piece}, Common: []bool{p.IsCommon(i)}, Pause: pieceGap})
			}
			pieces[len(pieces)-1].Pause = sentenceGap
		}
		if len(pieces) == 0 {
			pieces = quiet(p.Pause)
		} else {
			pieces[len(pieces)-1].Pause = p.Pause
		}
		parts = append(parts, pieces...)
	}
	return parts
}

func quiet(pause time.Duration) []recording.Passage { return []recording.Passage{{Pause: pause}} }
