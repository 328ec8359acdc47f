// Package narrator makes the narration package the domain's narrator.
package narrator

import (
	"context"
	"time"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
)

// Narrator adapts.
type Narrator struct{ narration *narration.Narrator }

var _ meditation.Narrator = (*Narrator)(nil)

// New makes a Narrator.
func New(n *narration.Narrator) *Narrator { return &Narrator{n} }

// Voice finds a narrator or the default.
func (*Narrator) Voice(id string, immersive bool) meditation.Voice {
	v := narration.VoiceFor(id, immersive)
	return meditation.Voice{ID: v.ID, Name: v.Name, WordsPerMinute: v.WordsPerMinute}
}

// Count says how many segments the script makes.
func (*Narrator) Count(s meditation.Script) int { return narration.Count(fromPassages(s.Passages)) }

// Narrate speaks from segment from on. A kept narrator id is known, so the kind does not matter.
func (n *Narrator) Narrate(ctx context.Context, voiceID string, s meditation.Script, from int, startAt time.Duration, emit func(meditation.Piece) error) error {
	voice := narration.VoiceFor(voiceID, false)
	return n.narration.Narrate(ctx, voice, fromPassages(s.Passages), from, startAt, func(seg narration.Segment) error {
		return emit(toPiece(seg))
	})
}

func fromPassages(passages []meditation.Passage) []narration.Passage {
	out := make([]narration.Passage, len(passages))
	for i, p := range passages {
		out[i] = narration.Passage(p)
	}
	return out
}

func toPiece(s narration.Segment) meditation.Piece {
	p := meditation.Piece{
		Index: s.Index, MP3: s.MP3, Start: s.Start, Duration: s.Duration, Silence: s.Silence,
		Lines: make([]meditation.Line, len(s.Lines)),
	}
	for i, l := range s.Lines {
		p.Lines[i] = meditation.Line(l)
	}
	return p
}
