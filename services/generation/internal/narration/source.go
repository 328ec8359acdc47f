package narration

import (
	"context"
	"time"

	"serein.app/services/generation/internal/recording"
)

// part is what makes one segment.
type part struct {
	recording.Passage

	// beside is what is spoken before it and after it.
	beside neighbours
	// bell: the recording ends with it, and with a bell.
	bell bool
}

// source gives the parts of a recording in their order.
type source interface {
	// take gives the next part, which it may wait for; more is false behind the last one.
	take(ctx context.Context) (p part, more bool, err error)
}

// whole gives the parts of a script that is there, from the index next on.
type whole struct {
	parts []recording.Passage
	next  int
	bell  bool
}

func (w *whole) take(context.Context) (part, bool, error) {
	i := w.next
	if i == len(w.parts) {
		return part{}, false, nil
	}
	w.next++
	return part{w.parts[i], around(w.parts, i), w.bell && w.next == len(w.parts)}, true, nil
}

// coming gives the parts of a script that is being written, from the one with the index from on.
type coming struct {
	recording.Coming

	from int
	// cut are the parts of the passages that were read, and taken how many of them were given; read is how many passages that were.
	cut         []recording.Passage
	taken, read int
}

func (c *coming) take(ctx context.Context) (part, bool, error) {
	for c.taken = max(c.taken, c.from); c.taken >= len(c.cut); c.read++ {
		if c.read == c.Passages {
			return part{}, false, nil
		}
		p, err := c.Next(ctx, c.read)
		if err != nil {
			return part{}, false, err
		}
		c.cut = append(c.cut, cut(p, len(c.cut))...)
	}
	i := c.taken
	c.taken++
	// What follows a passage is not waited for: the silence between them is longer than any tone reaches.
	return part{c.cut[i], around(c.cut, i), c.read == c.Passages && c.taken == len(c.cut)}, true, nil
}

// charactersAWord of English with the space behind it, on average.
const charactersAWord = 6

// Follow speaks a script that is being written, as Record does one that is whole: its segments are those that Record would make, but that a
// narrator who fits the tone to what follows does not know what follows a passage. The recording ends with a bell. Errors: those of Record, and c.Next's.
func (r *Recorder) Follow(
	ctx context.Context, narratorID string, c recording.Coming, from int, startAt time.Duration,
	emit func(s recording.Segment, mp3 []byte) error,
) error {
	n, err := r.admit(ctx, narratorID, c.Words*charactersAWord, from)
	if err != nil {
		return err
	}
	return r.record(ctx, n, &coming{Coming: c, from: max(from, 0)}, from, startAt, emit)
}
