package script

import "fmt"

// part of a script: so many blocks in so many passages.
type part struct{ passages, blocks int }

// plan says how large each part of a script is.
type plan struct {
	arrive, settle, posture, breath, plant, practice, theme, affirm, deepen, back, end part
	// turns is how many turns the title's themes have, and wanders says whether they have the return from wandering.
	turns   int
	wanders bool
}

// shortest is the plan of 17 passages, the smallest size. It is settled by the posture, and it
// gives no passage to settling alone.
func shortest() *plan {
	one := part{1, 1}
	return &plan{
		arrive: one, posture: one, breath: one, plant: one, practice: part{5, 5}, theme: part{2, 2},
		affirm: part{affirmationsPerType, affirmationsPerType}, deepen: one, back: one, end: one, turns: 1,
	}
}

func (p *plan) parts() []*part {
	return []*part{
		&p.arrive, &p.settle, &p.posture, &p.breath, &p.plant, &p.practice, &p.theme, &p.affirm,
		&p.deepen, &p.back, &p.end,
	}
}

// widening is the order in which further passages are given out: the second size ends after two,
// the third after all of them.
func (p *plan) widening() []*part {
	return []*part{
		&p.settle, &p.practice, // 19
		&p.theme, &p.posture, &p.breath, &p.breath, &p.practice, &p.theme, &p.practice, &p.deepen, &p.theme, // 28
	}
}

// thickening is the order in which blocks join others inside a passage, where the words of a
// size need more than one block a passage.
func (p *plan) thickening() []*part {
	return []*part{
		&p.deepen, &p.posture, &p.theme, &p.back, &p.practice,
		&p.practice, &p.practice, &p.breath, &p.practice, &p.settle,
	}
}

// The title's themes have two turns and the return from wandering from the second size on, and three turns in the third.
const secondSize, thirdSize = 19, 28

func (p *plan) giveToThemes(breaks int) {
	p.turns += one(breaks >= secondSize) + one(breaks >= thirdSize)
	p.wanders = breaks >= secondSize
}

// wordsPerBlock of Serein's own texts, all optional sentences spoken; measured by a test.
const wordsPerBlock = 26

func planFor(breaks, maxWords int) (*plan, error) {
	p := shortest()
	extra := breaks - p.passages()
	if wide := p.widening(); extra < 0 || extra > len(wide) {
		return nil, fmt.Errorf("%w: no plan for %d breaks", ErrRequest, breaks)
	}
	for _, part := range p.widening()[:extra] {
		part.passages++
		part.blocks++
	}
	p.giveToThemes(breaks)
	// A tenth more than needed leaves a choice.
	joined := (maxWords*11/10 - breaks*wordsPerBlock) / wordsPerBlock
	for _, part := range p.thickening()[:min(max(joined, 0), len(p.thickening()))] {
		part.blocks++
	}
	return p, nil
}

func (p *plan) passages() (n int) {
	for _, part := range p.parts() {
		n += part.passages
	}
	return n
}
