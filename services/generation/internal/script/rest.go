package script

import (
	"fmt"
	"slices"
	"time"

	"serein.app/services/generation/internal/alike"
	"serein.app/services/generation/internal/recording"
)

// nearly is by how many words a rest may miss its range, step by step, where no composition of it is in the range.
var nearly = []int{0, 10, 25, 60, 1 << 10}

// Rest writes the passages behind those that were said, which another writer wrote: as many as are left, with the words and the silence
// that are left. It goes on at the same place of the script: in what comes before the practice, or, from the practice on, with its beginning, since
// nobody knows how much of a path was taught; then come the type, the affirmations and the end, as far as there is room. It neither greets nor speaks
// of a picture that was not brought in, and says nothing that was said. Where no composition has the words that are left, the one that misses
// them least is the rest: the silences are exact in any case. Every error wraps ErrRequest.
func Rest(r Request, said []recording.Passage) ([]recording.Passage, error) {
	lib, err := words()
	if err != nil {
		return nil, err
	}
	if err := lib.check(r); err != nil {
		return nil, err
	}
	gone := sum(said)
	silence := halves(2*r.PauseSeconds) - gone.silence
	if count := r.Breaks - len(said); count < 1 || silence < leastPause*halves(count) {
		return nil, fmt.Errorf("%w: no room for a rest of %d passages", ErrRequest, count)
	}
	rng, m, stuck := randomness(r), lib.remember(r.Past), map[*station]int{}
	for step, more := range nearly {
		if step > 0 {
			m = memory{} // what is new does not go together
		}
		for attempt := range attempts >> min(step, 3) {
			r.attempt = min(attempt, anyPlaceFrom-1) // nothing is said of a sore place, even if the words miss their range
			d, derr := lib.draft(r, m, stuck, rng)
			if derr != nil {
				err = derr
				continue
			}
			d.keepRest(len(said), r.Breaks-len(said), silence, gone.plain)
			low, high := max(r.MinWords-gone.words-more, 0), max(r.MaxWords-gone.words+more, 0)
			if len(d.passages) == r.Breaks-len(said) && d.fill(low, high, rng) && d.varied() {
				return d.script(silence).Passages, nil
			}
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: no rest of %d passages", ErrRequest, r.Breaks-len(said))
	}
	return nil, err
}

// total is what was said.
type total struct {
	words   int
	silence halves
	// plain are its sentences as Bare.
	plain [][]string
}

func sum(said []recording.Passage) (t total) {
	for _, p := range said {
		t.silence += halves(p.Pause / (500 * time.Millisecond))
		for _, sentence := range p.Sentences {
			t.words += WordCount(sentence)
			t.plain = append(t.plain, alike.Bare(sentence))
		}
	}
	return t
}

// keepRest leaves so many passages of the draft, those for the end of a script of which others were said.
func (d *draft) keepRest(said, count int, silence halves, plain [][]string) {
	opening, lesson := d.passages[min(max(said, 1), d.lesson):d.lesson], d.passages[d.lesson:d.theme]
	theme, affirming, end := d.passages[d.theme:d.affirming], d.passages[d.affirming:len(d.passages)-1], d.passages[len(d.passages)-1:]
	breathing := (silence - leastPause*halves(count)) * 2 / 3
	for _, part := range []*[]*passage{&opening, &lesson, &theme, &affirming, &end} {
		*part = d.sayable(*part, plain, &breathing)
	}
	over := len(opening) + len(lesson) + len(theme) + len(affirming) + len(end) - count
	for _, drop := range []struct {
		from  *[]*passage
		least int
	}{{&opening, 0}, {&lesson, 1}, {&theme, 0}, {&lesson, 0}, {&affirming, 0}, {&end, 0}} {
		n := min(max(over, 0), max(len(*drop.from)-drop.least, 0))
		*drop.from = slices.Delete(*drop.from, drop.least, drop.least+n) // the practice keeps its beginning
		over -= n
	}
	d.passages = slices.Concat(opening, lesson, theme, affirming, end)
	d.widen(count)
}

// sayable are those passages without what speaks of the picture, what was said already, and words that count breaths for which the silence is
// too short; breathing is what may still go to these.
func (d *draft) sayable(passages []*passage, plain [][]string, breathing *halves) (kept []*passage) {
	for _, p := range passages {
		isSaid := func(said *piece) bool { return repeatsAny(said, plain) }
		if p.affirms && slices.ContainsFunc(p.pieces, func(said *piece) bool { return said.aside && isSaid(said) }) {
			continue // the words around an affirmation are about it
		}
		p.breaths = 0
		p.pieces = slices.DeleteFunc(p.pieces, func(said *piece) bool {
			if said.block == nil {
				return false
			}
			takes := breathTime(said.block.breaths)
			if d.isOfImage(said) || isSaid(said) || takes > *breathing {
				return true
			}
			*breathing -= takes
			p.breaths = max(p.breaths, said.block.breaths)
			return false
		})
		if len(p.pieces) > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// isOfImage says that the piece speaks of the picture.
func (d *draft) isOfImage(p *piece) bool {
	for _, blocks := range d.scene.image.stages {
		if p.block != nil && slices.Contains(blocks, p.block) {
			return true
		}
	}
	return false
}

// repeatsAny says that a line of the piece sounds like one that was said.
func repeatsAny(p *piece, plain [][]string) bool {
	return slices.ContainsFunc(p.lines, func(l line) bool {
		words := alike.Bare(l.text)
		return slices.ContainsFunc(plain, func(said []string) bool { return alike.Same(said, words) })
	})
}

// widen cuts passages of several pieces in two until there are so many.
func (d *draft) widen(count int) {
	for len(d.passages) < count {
		at := slices.IndexFunc(d.passages, func(p *passage) bool { return len(p.pieces) > 1 })
		if at < 0 {
			return
		}
		p := d.passages[at]
		first := &passage{pieces: p.pieces[:1]}
		p.pieces = p.pieces[1:]
		d.passages = slices.Insert(d.passages, at, first)
	}
}
