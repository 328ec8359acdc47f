package script

import "fmt"

// part of a script: so many blocks in so many passages.
type part struct{ passages, blocks int }

// plan says how large each part of a script is.
type plan struct {
	arrive, settle, posture, breath, plant, practice, theme, affirm, deepen, back, end part
	// stations is how many places of its path the script comes by.
	stations int
	// turns is how many turns the title's themes have.
	turns int
}

// shortest is the plan of 17 passages, the smallest size. It is settled by the posture, and it
// gives no passage to settling alone.
func shortest() *plan {
	one := part{1, 1}
	return &plan{
		arrive: one, posture: one, breath: one, plant: one, practice: part{5, 0}, theme: part{2, 2},
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
		&p.deepen, &p.posture, &p.theme, &p.back, &p.breath, &p.settle,
	}
}

// A path has three stations, six from the second size on and twelve in the third. The title's themes have one turn,
// three from the second size on and six in the third: with them they say a fifth of the words.
const (
	secondSize, thirdSize                           = 19, 28
	shortestStations, secondStations, thirdStations = 3, 6, 12
)

// grow gives the practice and the title's themes what a script of so many silences has of them.
func (p *plan) grow(breaks int) {
	p.stations = shortestStations
	if breaks >= secondSize {
		p.stations, p.turns = secondStations, 3
	}
	if breaks >= thirdSize {
		p.stations, p.turns = thirdStations, 6
	}
	p.practice.blocks = p.stations + besideStations
}

// besideStations are the beginning of a path, the return from wandering and what goes deeper.
const besideStations = 3

// wordsPerBlock of Serein's own texts, all optional sentences spoken; measured by a test.
const wordsPerBlock = 26

// planFor answers the plan of a script of so many silences, one block a passage but in the practice.
func planFor(breaks int) (*plan, error) {
	p := shortest()
	extra := breaks - p.passages()
	if wide := p.widening(); extra < 0 || extra > len(wide) {
		return nil, fmt.Errorf("%w: no plan for %d breaks", ErrRequest, breaks)
	}
	for _, part := range p.widening()[:extra] {
		part.passages++
		part.blocks++
	}
	p.grow(breaks)
	return p, nil
}

// thicken joins further blocks to others, as many as so many words need beside those that the practice and the turns of the title's
// themes have joined already.
func (p *plan) thicken(maxWords, turns int) {
	breaks, already := p.passages(), p.practice.blocks-p.practice.passages+max(turns-1, 0)
	// A tenth more than needed leaves a choice.
	joined := (maxWords*11/10-breaks*wordsPerBlock)/wordsPerBlock - already
	for _, part := range p.thickening()[:min(max(joined, 0), len(p.thickening()))] {
		part.blocks++
	}
}

func (p *plan) passages() (n int) {
	for _, part := range p.parts() {
		n += part.passages
	}
	return n
}
