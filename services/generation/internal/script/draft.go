package script

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Weights of the silences: short while settling, long where the words ask for time.
const (
	weightSettling = 2
	weightPlain    = 3
	weightAffirm   = 4
	weightLong     = 5
)

// draft is a script whose optional sentences are not chosen yet.
type draft struct {
	lib      *library
	rng      *rand.Rand
	scene    scene
	passages []*passage
	used     map[*block]bool
	// own are the sentences with the member's title or name in them.
	own map[string]bool
	// said are the affirmations.
	said []string
	err  error
}

type passage struct {
	pieces []*piece
	weight int
}

// piece is a block in its place; the first taken of its optional lines will be spoken.
type piece struct {
	lines []line
	taken int
}

// draft writes all parts in order.
func (lib *library) draft(r Request, rng *rand.Rand) (*draft, error) {
	p, err := planFor(r.Breaks, r.MaxWords)
	if err != nil {
		return nil, err
	}
	d := &draft{lib: lib, rng: rng, scene: lib.scene(r, rng), used: map[*block]bool{}, own: map[string]bool{}}
	d.arrive(p)
	d.practice(lib.practices[r.PracticeID], p.practice)
	d.touch(p.theme == shortest().theme)
	d.theme(lib.types[r.TypeID], p.theme)
	d.touch(true)
	d.said = d.affirmations(r.Affirmations, d.scene.cared)
	d.affirm(d.said)
	d.spread(weightPlain, d.pick(d.scene.image, "deepen", p.deepen.blocks), p.deepen.passages)
	d.leave(p)
	return d, d.err
}

func (d *draft) arrive(p *plan) {
	arrive, common := d.lib.common["arrive"], d.lib.common
	first := d.pick(arrive, "hello", 1)
	if d.scene.title != "" {
		first = append(first, d.pick(arrive, "naming", 1)...)
	}
	d.together(weightSettling, append(first, d.open()...))
	d.spread(weightSettling, d.pick(common["settle"], "settle", p.settle.blocks), p.settle.passages)
	d.posture(common["posture"], p.posture)
	breath := append(d.pick(common["breath"], "meet", 1), d.pick(common["breath"], "follow", p.breath.blocks-1)...)
	d.spread(weightPlain, breath, p.breath.passages)
	d.spread(weightPlain, d.pick(d.scene.image, "plant", p.plant.blocks), p.plant.passages)
}

// posture places the body and says what the eyes do in one passage; softening follows, in the
// same passage where there is no other.
func (d *draft) posture(s *sheet, p part) {
	place := append(d.pick(s, "place", 1), d.pick(s, "eyes", 1)...)
	soften := d.pick(s, "soften", p.blocks-1)
	if p.passages == 1 {
		d.together(weightSettling, append(place, soften...))
		return
	}
	d.together(weightSettling, place)
	d.spread(weightSettling, soften, p.passages-1)
}

// open speaks to the theme of the title, or to anybody.
func (d *draft) open() []*block {
	if d.scene.theme != nil && len(d.suitable(d.scene.theme, "open")) > 0 {
		return d.pick(d.scene.theme, "open", 1)
	}
	return d.pick(d.lib.common["arrive"], "open", 1)
}

// practice teaches the method: a beginning, the method with one return from wandering in its
// middle, and one or two passages of depth.
func (d *draft) practice(s *sheet, p part) {
	deep := 1
	if p.blocks > 7 {
		deep = 2
	}
	begin := d.pick(s, "begin", 1)
	methods := d.outside(s, "method", p.blocks-2-deep)
	half := (len(methods) + 1) / 2
	wander, deepen := d.outside(s, "wander", 1), d.outside(s, "deepen", deep)
	d.spread(weightPlain, slices.Concat(begin, methods[:half], wander, methods[half:], deepen), p.passages)
}

// outside picks from the practice, but where a title is met in the room at least two thirds of what
// the practice does is done outside the body, and more where little of the practice is left.
func (d *draft) outside(s *sheet, stage string, n int) []*block {
	if !d.scene.tags[lookOutward] {
		return d.pick(s, stage, n)
	}
	own := min(len(d.suitable(s, stage)), n/3)
	anchors := d.pick(d.lib.common["anchors"], stage, n-own)
	return append(anchors, d.pick(s, stage, own)...)
}

// theme develops the meditation type: it opens, turns and, from three blocks on, settles. With
// four or more, one of the turns may belong to the title's theme.
func (d *draft) theme(s *sheet, p part) {
	blocks, turns := d.pick(s, "open", 1), p.blocks-1
	if p.blocks > 2 {
		turns--
	}
	if d.themeSpeaks(p.blocks) {
		blocks = append(blocks, d.pick(d.scene.theme, "turn", 1)...)
		turns--
	}
	blocks = append(blocks, d.turns(s, turns)...)
	if p.blocks > 2 {
		blocks = append(blocks, d.pick(s, "settle", 1)...)
	}
	d.spread(weightPlain, blocks, p.passages)
}

// turns picks from the type, and from what may be said to everybody where the title is spared too many.
func (d *draft) turns(s *sheet, n int) []*block {
	own := min(len(d.suitable(s, "turn")), n)
	return append(d.pick(s, "turn", own), d.pick(d.lib.common["gentle"], "turn", n-own)...)
}

// themeSpeaks always in the longest size, every other time where there is one turn only.
func (d *draft) themeSpeaks(blocks int) bool {
	if d.scene.theme == nil || blocks < 3 || len(d.suitable(d.scene.theme, "turn")) == 0 {
		return false
	}
	return blocks > 3 || d.rng.IntN(2) == 0
}

// touch returns to the image for one sentence at the end of the last passage.
func (d *draft) touch(optional bool) {
	for _, b := range d.pick(d.scene.image, "touch", 1) {
		last := d.passages[len(d.passages)-1]
		last.pieces = append(last.pieces, &piece{lines: []line{{text: b.lines[0].text, optional: optional}}})
	}
}

// affirm introduces each affirmation and leaves time to repeat it.
func (d *draft) affirm(affirmations []string) {
	words := d.lib.common["affirm"]
	for i, stage := range []string{"first", "next", "last"} {
		said := &block{lines: []line{{text: affirmations[i]}}}
		blocks := append(d.pick(words, stage, 1), said)
		d.together(weightAffirm, append(blocks, d.pick(words, "after", 1)...))
	}
}

// leave lets the image go, comes back, or does not at night, and says farewell.
func (d *draft) leave(p *plan) {
	back := append(d.pick(d.scene.image, "leave", 1), d.pick(d.lib.common["return"], "return", p.back.blocks)...)
	if d.scene.tags["waking"] {
		back = append(back, d.pick(d.lib.common["return"], "eyes", 1)...)
	}
	d.together(weightPlain, back)
	d.together(weightSettling, d.pick(d.lib.common["close"], "keep", 1))
}

// suitable are the blocks of a stage that hold in this scene and were not spoken yet.
func (d *draft) suitable(s *sheet, stage string) []*block {
	return slices.DeleteFunc(slices.Clone(s.stages[stage]), func(b *block) bool {
		return d.used[b] || !d.scene.holds(b)
	})
}

// pick draws n blocks of a stage, those written for the title's class before the others, and keeps
// the order in which the file has them.
func (d *draft) pick(s *sheet, stage string, n int) []*block {
	can := writtenFirst(d.suitable(s, stage), n)
	if len(can) < n {
		d.err = fmt.Errorf("%w: stage %q has %d blocks, not %d", ErrRequest, stage, len(can), n)
		return can
	}
	order := d.rng.Perm(len(can))[:n]
	slices.Sort(order)
	picked := make([]*block, n)
	for i, at := range order {
		picked[i] = can[at]
		d.used[can[at]] = true
		for _, tag := range can[at].sets {
			d.scene.tags[tag] = true
		}
	}
	return picked
}

// spread makes n passages of the blocks, the fuller ones last.
func (d *draft) spread(weight int, blocks []*block, n int) {
	for ; n > 0; n-- {
		share := len(blocks) / n
		d.together(weight, blocks[:share])
		blocks = blocks[share:]
	}
}

// together makes one passage of the blocks.
func (d *draft) together(weight int, blocks []*block) {
	p := &passage{weight: weight}
	names := strings.NewReplacer("{title}", d.scene.title, "{name}", d.scene.name)
	for _, b := range blocks {
		lines := slices.Clone(b.lines)
		for i := range lines {
			template := lines[i].text
			if lines[i].text = names.Replace(template); lines[i].text != template {
				d.own[lines[i].text] = true
			}
		}
		p.pieces = append(p.pieces, &piece{lines: lines})
		if b.long {
			p.weight = weightLong
		}
	}
	d.passages = append(d.passages, p)
}
