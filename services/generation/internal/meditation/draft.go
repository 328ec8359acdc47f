package meditation

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/brief"
	"serein.app/services/generation/internal/recording"
)

// The limits of drafts.
const (
	// MaxDrafts a member has at once.
	MaxDrafts = 3
	// DraftLife is how long a draft is kept that is not narrated: long enough to sleep on it.
	DraftLife = 24 * time.Hour
	// MaxRewrites is how often the writer writes lines of a draft again.
	MaxRewrites = 30
)

// Draft is a script that a member reads, and may change, before a credit is held for it.
type Draft struct {
	// ID is a UUIDv7; UID the member who owns it.
	ID, UID uuid.UUID
	// Request is what was chosen, with the key by which the draft was asked for.
	Request
	Brief    Brief
	Passages []DraftPassage
	// Revision grows with every change, from 1. Rewrites counts the lines that the writer wrote again.
	Revision, Rewrites int
	// NarratorName is who would speak it, as it was when the script was written.
	NarratorName string
	CreatedAt    time.Time
}

// DraftPassage is what is said without a planned silence, and the silence after it, which the size gives.
type DraftPassage struct {
	Lines []DraftLine
	Pause time.Duration
}

// DraftLine is a sentence, or what the member has put in its place.
type DraftLine struct {
	// Written is what the writer wrote there last. Common says that it has no words of the member's.
	Written string
	Common  bool
	// Own are the member's words in its place; empty where the writer's are said.
	Own string
	// Dropped: it is not said.
	Dropped bool
}

// Text is what stands there, said or not.
func (l DraftLine) Text() string {
	if l.Own != "" {
		return l.Own
	}
	return l.Written
}

// said are the sentences of the line.
func (l DraftLine) said() []string {
	switch {
	case l.Dropped:
		return nil
	case l.Own != "":
		return brief.Sentences(l.Own)
	}
	return []string{l.Written}
}

// draftOf is what is read of a script.
func draftOf(s recording.Script) []DraftPassage {
	passages := make([]DraftPassage, len(s.Passages))
	for i, p := range s.Passages {
		passages[i] = DraftPassage{Pause: p.Pause, Lines: make([]DraftLine, len(p.Sentences))}
		for j, sentence := range p.Sentences {
			passages[i].Lines[j] = DraftLine{Written: sentence, Common: p.IsCommon(j)}
		}
	}
	return passages
}

// Script is what would be spoken. A line of the member's own is not common.
func (d Draft) Script() recording.Script {
	s := recording.Script{Passages: make([]recording.Passage, len(d.Passages))}
	for i, p := range d.Passages {
		spoken := recording.Passage{Pause: p.Pause}
		for _, l := range p.Lines {
			said := l.said()
			spoken.Sentences = append(spoken.Sentences, said...)
			spoken.Common = append(spoken.Common, slices.Repeat([]bool{l.Common && l.Own == ""}, len(said))...)
		}
		s.Passages[i] = spoken
		s.Words += brief.CountWords(spoken.Sentences)
	}
	return s
}

// asked is what a script of the draft is judged by. What the member was told lately is not asked: they have read this one.
func (d Draft) asked() brief.Brief { return Meditation{Request: d.Request, Brief: d.Brief}.Asked() }

// ExpiresAt is when the draft is removed.
func (d Draft) ExpiresAt() time.Time { return d.CreatedAt.Add(DraftLife) }

// RewritesLeft is how many more lines the writer writes again.
func (d Draft) RewritesLeft() int { return max(MaxRewrites-d.Rewrites, 0) }

// at finds a line by its number in the whole draft, from 1: the indices of its passage and of the line in it.
func (d Draft) at(number int) (passage, line int, found bool) {
	left := number - 1
	for i, p := range d.Passages {
		if left >= 0 && left < len(p.Lines) {
			return i, left, true
		}
		left -= len(p.Lines)
	}
	return 0, 0, false
}

// with is the draft with other lines in a passage; the passages of d stay as they are.
func (d Draft) with(passage int, change func(lines []DraftLine)) Draft {
	d.Passages = slices.Clone(d.Passages)
	d.Passages[passage].Lines = slices.Clone(d.Passages[passage].Lines)
	change(d.Passages[passage].Lines)
	return d
}
