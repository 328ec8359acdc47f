// Package recording has the data types of a recording: a script with its silences, its narrator, and its segments. The
// writer, the recorder, the stores and the handlers all use these types. The package has no rules and knows no member.
package recording

import (
	"context"
	"slices"
	"time"
)

// Narrator is a persona that members hear and know by name.
type Narrator struct {
	// ID is the stable name that presets use; Name and Description are what a member reads.
	ID, Name, Description string
	// WordsPerMinute is the measured pace while speaking, breaths between sentences included.
	WordsPerMinute float64
	// Sound is a hash of the settings that make the narrator's sound; with one of them it changes.
	Sound string
	// Recipient is who gets the words that are spoken, as members read it; empty for those who speak inside Serein.
	Recipient string
}

// Script is what is spoken.
type Script struct {
	Passages []Passage
	// Words of the whole, counted as what spaces separate.
	Words int
	// NoBell: the recording ends without the bell of meditations.
	NoBell bool
}

// Coming is a script that is spoken while it is being written.
type Coming struct {
	// Passages is how many it will have, and Words how many words at most.
	Passages, Words int
	// Next waits for the passage with that index. Its error is why there will be none, or ctx's.
	Next func(ctx context.Context, i int) (Passage, error)
}

// Passage is what is said without a planned silence, and the silence after it; without sentences it is silence alone.
type Passage struct {
	Sentences []string
	// Common says of each sentence, in their order, that it has no words of a member's, so that its sound may be kept and
	// spoken to others. A sentence that it does not mention may have some.
	Common []bool
	Pause  time.Duration
}

// IsCommon says whether the sentence with that index has no words of a member's.
func (p Passage) IsCommon(sentence int) bool { return sentence < len(p.Common) && p.Common[sentence] }

// Cut is the part of a passage with its sentences from index from up to, but not including, index to, and another pause.
func (p Passage) Cut(from, to int, pause time.Duration) Passage {
	known := len(p.Common)
	return Passage{Sentences: p.Sentences[from:to], Common: p.Common[min(from, known):min(to, known)], Pause: pause}
}

// ByNoMember marks all sentences of passages that were written for everybody.
func ByNoMember(passages []Passage) []Passage {
	marked := slices.Clone(passages)
	for i, p := range passages {
		marked[i].Common = slices.Repeat([]bool{true}, len(p.Sentences))
	}
	return marked
}

// Segment is a piece of the recording that plays alone: some sentences and the silence after them.
// Segments joined byte for byte in the order of Index are the whole recording.
type Segment struct {
	Index int
	// Start is the segment's place in the whole recording and Duration its length.
	Start, Duration time.Duration
	// Silence is the planned quiet at its end, part of Duration.
	Silence time.Duration
	Lines   []Line

	// BlobKey, Offset and Bytes say where the segment's sound is stored; the code that stores it sets them. While the
	// recording is made, BlobKey names a separate file; in the finished recording the sound begins at Offset.
	BlobKey       string
	Offset, Bytes int64
}

// Line is one spoken sentence with its place in the whole recording, as a listener hears it.
type Line struct {
	Text       string
	Start, End time.Duration
}
