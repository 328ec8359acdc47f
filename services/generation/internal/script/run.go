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
	// held is how many blocks the open passage has.
	held int
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
	for _, fits := range r.choices() {
		for _, b := range longestAgo(can, r.memory.block, r.rng) {
			p := r.piece(b)
			if !r.used[b] && fits(b, p) && !r.since.behind(p).none() {
				r.place(b, p)
				return
			}
		}
	}
	r.err = fmt.Errorf("%w: stage %q has too few of %d blocks", ErrRequest, name, len(can))
}

// shortBlock is how many words a block has at most that is spoken first where short ones are wanted.
const shortBlock = 16

// choices are what a block must fulfil to be spoken, the best first.
func (r *run) choices() []func(*block, *piece) bool {
	asking := func(b *block, _ *piece) bool { return r.canAsk(b) }
	quiet := func(b *block, _ *piece) bool { return keepsQuiet(b) }
	if !r.short {
		return []func(*block, *piece) bool{asking, quiet}
	}
	short := func(b *block, p *piece) bool { return r.canAsk(b) && p.ways[0].words <= shortBlock }
	return []func(*block, *piece) bool{short, asking, quiet}
}

// canAsk says that the block gets the silence that it asks for here: it can end its passage, and its breaths have time.
func (r *run) canAsk(b *block) bool {
	return !b.asks() || (r.blocks == 1 || r.leavesRoom(r.blocks-1)) && breathTime(b.breaths) <= r.breathing
}

// mostTogether is how many blocks a passage may be left with by one that ends early.
const mostTogether = 4

// leavesRoom says that the open passage may end early: so many blocks have room in those behind it.
func (r *run) leavesRoom(blocks int) bool {
	return r.passages > 1 && blocks <= mostTogether*(r.passages-1)
}

// keepsQuiet says that the block does without what it asks for. Words that count breaths cannot.
func keepsQuiet(b *block) bool { return b.breaths == 0 }

// place speaks the block. It ends its passage where it asks for time, and where the passage has its share of the blocks.
func (r *run) place(b *block, p *piece) {
	asked := b.asks() && r.canAsk(b)
	r.used[b] = true
	r.add(p)
	r.blocks--
	if asked {
		r.open.long, r.open.breaths = b.long, b.breaths
		r.breathing -= breathTime(b.breaths)
	}
	r.held++
	r.open.joins = r.blocks == 0
	if asked || r.held*r.passages >= r.held+r.blocks {
		r.end()
	}
}

// end the open passage.
func (r *run) end() { r.open, r.passages, r.held = nil, r.passages-1, 0 }

// pass lets what comes next begin a passage, where one is left for it.
func (r *run) pass() {
	if r.open != nil && r.leavesRoom(r.blocks) {
		r.end()
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
	p := newPiece(lines, b.breaths > 0, false)
	p.block = b
	return p
}
