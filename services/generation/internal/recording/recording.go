// Package recording has the plain shapes of what is spoken and heard: a script with its silences,
// who speaks it, and the segments that its recording is made of. Whoever writes, speaks, stores or
// answers uses these same types. It has no rules and knows no member.
package recording

import "time"

// Narrator is a persona that members hear and know by name.
type Narrator struct {
	// ID is the stable name that presets use; Name is what a member reads.
	ID, Name string
	// WordsPerMinute is the measured pace while speaking, breaths between sentences included.
	WordsPerMinute float64
}

// Script is what is spoken.
type Script struct {
	Passages []Passage
	// Words of the whole, counted as what spaces separate.
	Words int
}

// Passage is what is said without a planned silence, and the silence after it; without sentences it is silence alone.
type Passage struct {
	Sentences []string
	Pause     time.Duration
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

	// BlobKey, Offset and Bytes say where its sound is stored; whoever stores it sets them. It lies
	// in a file of its own under BlobKey while the recording is made, and from Offset on in the
	// finished one.
	BlobKey       string
	Offset, Bytes int64
}

// Line is one spoken sentence with its place in the whole recording, as a listener hears it.
type Line struct {
	Text       string
	Start, End time.Duration
}
