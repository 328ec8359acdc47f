package script

import "strings"

// piece is a block in its place; the first taken of its optional lines will be spoken.
type piece struct {
	// block is what it was made of; nil for an affirmation.
	block *block
	lines []line
	taken int
	// aside is what stands outside the count of comparisons: an affirmation.
	aside bool
	// ways are the choices that its optional lines leave.
	ways []way
}

// way is one choice of a piece: so many optional lines, with so many words in all.
type way struct {
	taken, words int
	// weight is how likely the choice is beside others that fit.
	weight float64
	// leads says, for each state before the piece, the state behind it; see after.
	leads [similesApart + 1]int
}

// toldBefore is how many times less likely a sentence is that may be left out and that the member has been told lately.
const toldBefore = 64

// newPiece makes a piece of lines; with all of them, none of the optional ones is left out.
func newPiece(lines []line, all, aside bool) *piece {
	p := &piece{lines: lines, aside: aside}
	optional := 0
	for _, l := range lines {
		if l.optional {
			optional++
		}
	}
	least := 0
	if all {
		least = optional
	}
	for taken := least; taken <= optional; taken++ {
		p.taken = taken
		p.ways = append(p.ways, p.way())
	}
	return p
}

// way that the piece is spoken in now.
func (p *piece) way() way {
	w := way{taken: p.taken, weight: 1}
	spoken := p.spoken()
	for _, l := range spoken {
		w.words += WordCount(l.text)
		if l.optional && l.told {
			w.weight /= toldBefore
		}
	}
	for since := range w.leads {
		w.leads[since] = since
		for _, l := range spoken {
			if !p.aside {
				w.leads[since] = after(w.leads[since], l)
			}
		}
	}
	return w
}

func (p *piece) spoken() (lines []line) {
	optional := 0
	for _, l := range p.lines {
		if l.optional {
			optional++
		}
		if !l.optional || optional <= p.taken {
			lines = append(lines, l)
		}
	}
	return lines
}

func (p *piece) sentences() (texts []string) {
	for _, l := range p.spoken() {
		texts = append(texts, l.text)
	}
	return texts
}

// states are those that a script may be in at some place, by its choices of optional lines so far.
type states [similesApart + 1]bool

// behind answers the states behind the piece; none where every choice compares too often.
func (s states) behind(p *piece) (next states) {
	for since, possible := range s {
		for _, w := range p.ways {
			if possible && w.leads[since] != broken {
				next[w.leads[since]] = true
			}
		}
	}
	return next
}

func (s states) none() bool { return s == states{} }

// passage is what is spoken up to a silence.
type passage struct {
	pieces []*piece
	// long and breaths are what the last piece asks for; affirms says that it holds an affirmation, which is repeated in silence;
	// joins that a part of the script ends with it.
	long, affirms, joins bool
	breaths              int
}

func (p *passage) sentences() (texts []string) {
	for _, piece := range p.pieces {
		texts = append(texts, piece.sentences()...)
	}
	return texts
}

// words of the passage.
func (p *passage) words() int { return WordCount(strings.Join(p.sentences(), " ")) }
