package script

import (
	"fmt"
	"slices"
)

// run is a part of the script while it is laid out: so many blocks that are still to be spoken in so many passages.
type run struct {
	*draft
	passages, blocks int
	open             *passage
}

func (d *draft) run(p part) *run { return &run{draft: d, passages: p.passages, blocks: p.blocks} }

// speak draws n blocks of a stage, those written for the title's class before the others.
func (r *run) speak(s *sheet, stage string, n int) {
	can := writtenFirst(r.suitable(s.stages[stage]), n)
	for range n {
		r.draw(can, stage)
	}
}

// draw speaks one of the blocks: of those that get the silence that they ask for, the one that this member has not met for
// the longest time. After an error it does nothing.
func (r *run) draw(can []*block, name string) {
	if r.err != nil {
		return
	}
	for _, ask := range []func(*block) bool{r.canAsk, keepsQuiet} {
		for _, b := range longestAgo(can, r.memory.block, r.rng) {
			p := r.piece(b)
			if !r.used[b] && ask(b) && !r.since.behind(p).none() {
				r.place(b, p)
				return
			}
		}
	}
	r.err = fmt.Errorf("%w: stage %q has too few of %d blocks", ErrRequest, name, len(can))
}

// canAsk says that the block gets the silence that it asks for here: it can end its passage, and its breaths have time.
func (r *run) canAsk(b *block) bool {
	return !b.asks() || (r.blocks == 1 || r.passages > 1) && breathTime(b.breaths) <= r.breathing
}

// keepsQuiet says that the block does without what it asks for. Words that count breaths cannot.
func keepsQuiet(b *block) bool { return b.breaths == 0 }

// place speaks the block. It ends its passage where it asks for time, and where as many passages are left as blocks.
func (r *run) place(b *block, p *piece) {
	asked := b.asks() && r.canAsk(b)
	r.used[b] = true
	r.add(p)
	r.blocks--
	if asked {
		r.open.long, r.open.breaths = b.long, b.breaths
		r.breathing -= breathTime(b.breaths)
	}
	if asked || r.blocks < r.passages {
		r.open, r.passages = nil, r.passages-1
	}
}

// add speaks the piece in the passage that is open, or in a new one.
func (r *run) add(p *piece) {
	if r.open == nil {
		r.open = &passage{pieces: r.ahead}
		r.ahead = nil
		r.draft.passages = append(r.draft.passages, r.open)
	}
	r.open.pieces = append(r.open.pieces, p)
	r.since = r.since.behind(p)
}

// piece of a block, with the title and the name in their places. Words that count breaths are spoken whole.
func (d *draft) piece(b *block) *piece {
	lines := slices.Clone(b.lines)
	for i := range lines {
		lines[i].told = d.memory.age(lines[i].text) != never
		lines[i].text = d.names.Replace(lines[i].text)
	}
	return newPiece(lines, b.breaths > 0, false)
}
