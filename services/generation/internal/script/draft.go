package script

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// draft is a script whose optional sentences are not chosen yet. Its blocks are drawn in the order in which they are spoken.
type draft struct {
	lib      *library
	rng      *rand.Rand
	scene    scene
	memory   memory
	names    *strings.Replacer
	passages []*passage
	// ahead begins the next passage.
	ahead []*piece
	used  map[*block]bool
	// since are the states that the script may be in by now, see after.
	since states
	// short says that short blocks come first.
	short bool
	// breathing is how much of the silence may still go to blocks that count breaths.
	breathing halves
	// said are the affirmations.
	said []string
	// lesson is where the practice begins, theme where the type follows, and affirming where the affirmations do, as indices of passages.
	lesson, theme, affirming int
	// stuck counts, over all drafts of a script, how often none of a station's blocks went with what was drawn before.
	stuck map[*station]int
	err   error
}

// draft writes all parts in order.
func (lib *library) draft(r Request, m memory, stuck map[*station]int, rng *rand.Rand) (*draft, error) {
	p, err := planFor(r.Breaks)
	if err != nil {
		return nil, err
	}
	d := &draft{
		lib: lib, rng: rng, scene: lib.scene(r, m, rng), memory: m, used: map[*block]bool{}, stuck: stuck,
		breathing: timeToBreathe(r.PauseSeconds, r.Breaks), short: r.attempt >= shortFrom,
	}
	p.turns += one(d.terse() && r.attempt < fewFrom)
	p.thicken(r.MaxWords, len(d.themeTurns(p.turns)))
	if d.scene.pictured && len(d.scene.themes) == 0 {
		p.deepen.blocks += 2 * p.deepen.passages // the picture is all that the title speaks of
	}
	d.since[similesApart] = true
	d.names = strings.NewReplacer("{subject}", d.scene.subject, "{moment}", d.scene.moment, "{name}", d.scene.name)
	d.said = d.affirmations(lib.types[r.TypeID], r.Affirmations)
	d.arrive(p)
	d.lesson = len(d.passages)
	d.practice(lib.practices[r.PracticeID], p)
	d.theme = len(d.passages)
	d.touch(p.theme == shortest().theme)
	d.develop(lib.types[r.TypeID], p)
	d.touch(true)
	d.affirming = len(d.passages)
	d.affirm()
	d.run(p.deepen).speak(d.scene.image, "deepen", p.deepen.blocks)
	d.leave(p)
	return d, d.err
}

func (d *draft) arrive(p *plan) {
	arrive, common := d.lib.common["arrive"], d.lib.common
	titled := d.scene.subject != "" || d.scene.moment != ""
	first := d.run(part{1, 2 + one(titled) + one(d.scene.immersive)})
	first.speak(arrive, d.greeting(), 1)
	if titled {
		first.speak(arrive, "naming", 1)
	}
	first.speak(d.opening(), "open", 1)
	first.speak(common["sound"], "greet", one(d.scene.immersive))
	d.run(p.settle).speak(common["settle"], "settle", p.settle.blocks)
	d.posture(common["posture"], p.posture)
	breath := d.run(p.breath)
	breath.speak(common["breath"], "meet", 1)
	breath.speak(common["breath"], "follow", p.breath.blocks-1)
	d.run(p.plant).speak(d.scene.image, "plant", p.plant.blocks)
}

// greeting is the stage of the first line: the member's name is said here and nowhere else.
func (d *draft) greeting() string {
	if d.scene.name != "" {
		return "called"
	}
	return "hello"
}

// posture places the body and says what the eyes do in one passage; softening follows, in the
// same passage where there is no other.
func (d *draft) posture(s *sheet, p part) {
	place := part{1, 2}
	if p.passages == 1 {
		place.blocks += p.blocks - 1
	}
	r := d.run(place)
	r.speak(s, "place", 1)
	r.speak(s, "eyes", 1)
	if p.passages > 1 {
		r = d.run(part{p.passages - 1, p.blocks - 1})
	}
	r.speak(s, "soften", p.blocks-1)
}

// opening speaks to the theme of the title, or to anybody.
func (d *draft) opening() *sheet { return d.themed("open", d.lib.common["arrive"]) }

// themed answers the first of the title's themes that has a block for that stage, or else the other sheet.
func (d *draft) themed(stage string, other *sheet) *sheet {
	for _, theme := range d.scene.themes {
		if len(d.suitable(theme.stages[stage])) > 0 {
			return theme
		}
	}
	return other
}

// develop speaks of the meditation type: it opens, turns and, from three blocks on, settles. The title's themes have
// as many of the turns as the plan gives them, and the type one at least.
func (d *draft) develop(s *sheet, p *plan) {
	settle := one(p.theme.blocks > 2)
	themes := d.themeTurns(p.turns)
	own := max(p.theme.blocks-1-settle-len(themes), 1)
	for _, tag := range turnTags[:min(own, len(d.suitable(s.stages["turn"])), len(turnTags))] {
		d.scene.tags[tag] = true
	}
	r := d.run(part{p.theme.passages, 1 + len(themes) + own + settle})
	r.speak(s, "open", 1)
	for _, theme := range themes {
		r.speak(theme, "turn", 1)
	}
	r.turns(s, own)
	r.speak(s, "settle", settle)
}

// turnTags hold where the script has one turn of the type at least, and two.
var turnTags = []string{"turn", "turns"}

// terseTurn is how many words the turns of a theme have at most, on average, that needs one more for its fifth of the words.
const terseTurn = 26

// terse says that the turns of the title's main theme are short.
func (d *draft) terse() bool {
	theme := d.scene.mainTheme()
	return theme != nil && theme.terse
}

// isTerse says that the turns of a theme are short.
func (s *sheet) isTerse() bool {
	words, turns := 0, s.stages["turn"]
	for _, b := range turns {
		words += WordCount(strings.Join(texts(b.lines), " "))
	}
	return words <= terseTurn*len(turns)
}

// turnRests is for how many scripts a member does not meet a turn of a theme again.
const turnRests = 2

// themeTurns answers the themes that have the next n turns, one after another in turn; fewer where they have fewer. Behind its
// first turn a theme has only such as the member has not been told lately.
func (d *draft) themeTurns(n int) (turns []*sheet) {
	for round := range n {
		for _, theme := range d.scene.themes {
			rest := never
			if round == 0 {
				rest = turnRests
			}
			can := slices.DeleteFunc(d.suitable(theme.stages["turn"]), func(b *block) bool { return d.memory.block(b) < rest })
			if len(turns) < n && round < len(can) {
				turns = append(turns, theme)
			}
		}
	}
	return turns
}

// turns of the type, and of what may be said to everybody where the title is spared too many.
func (r *run) turns(s *sheet, n int) {
	own := min(len(r.suitable(s.stages["turn"])), n)
	r.speak(s, "turn", own)
	r.speak(r.lib.common["gentle"], "turn", n-own)
}

// touch returns to the image for one sentence at the start of the next passage: what asks for time ends its own.
func (d *draft) touch(optional bool) {
	for _, b := range longestAgo(d.suitable(d.scene.image.stages["touch"]), d.memory.block, d.rng) {
		said := b.lines[0]
		said.optional = optional
		p := newPiece([]line{said}, false, false)
		p.block = b
		if next := d.since.behind(p); !next.none() {
			d.used[b], d.since = true, next
			d.ahead = append(d.ahead, p)
			return
		}
	}
}

// leave lets the image go, comes back, or does not at night, and says farewell.
func (d *draft) leave(p *plan) {
	waking := d.scene.tags["waking"]
	r := d.run(part{1, 1 + p.back.blocks + one(waking)})
	r.speak(d.scene.image, "leave", 1)
	r.speak(d.lib.common["return"], "return", p.back.blocks)
	if waking {
		r.speak(d.lib.common["return"], "eyes", 1)
	}
	d.run(p.end).speak(d.themed("keep", d.lib.common["close"]), "keep", 1)
}

// suitable are the blocks that hold in this scene, were not spoken yet and do not compare too often by themselves.
func (d *draft) suitable(blocks []*block) []*block {
	return slices.DeleteFunc(slices.Clone(blocks), func(b *block) bool {
		return d.used[b] || b.crowded || !d.scene.holds(b)
	})
}

// one counts what is there.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
