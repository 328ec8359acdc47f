package script

import "slices"

// affirmations chooses the set that is said: of the catalogue's and the type's further ones, the one that was not said
// for the longest time, and the catalogue's to a new member. To a title that needs care only such lines are said that
// the words know and that the title is not spared; others stand in the place of the rest.
func (d *draft) affirmations(s *sheet, asked []string) []string {
	set := asked
	for _, b := range longestAgo(d.suitable(s.stages["affirm"]), d.memory.block, d.rng) {
		other := texts(b.lines)
		if d.ageOf(other) > d.ageOf(set) && (!d.scene.cared || !slices.ContainsFunc(other, d.unjudged)) {
			set = other
			break
		}
	}
	if !d.scene.cared {
		return set
	}
	return d.judged(set)
}

// judged puts others in the place of the affirmations that may not be said.
func (d *draft) judged(set []string) []string {
	own := longestAgo(d.suitable(d.lib.common["affirm"].stages["own"]), d.memory.block, d.rng)
	said := make([]string, len(set))
	for i, text := range set {
		if said[i] = text; d.unjudged(text) {
			said[i], own = own[0].lines[0].text, own[1:]
		}
	}
	return said
}

// unjudged says that an affirmation is not known, or is of a kind that the title is spared.
func (d *draft) unjudged(text string) bool {
	return !slices.ContainsFunc(d.lib.common["affirm"].stages["known"], func(b *block) bool {
		return b.lines[0].text == text && d.scene.holds(b)
	})
}

func (d *draft) ageOf(set []string) int {
	age := never
	for _, text := range set {
		age = min(age, d.memory.age(text))
	}
	return age
}

// affirm introduces each affirmation and leaves time to repeat it.
func (d *draft) affirm() {
	words := d.lib.common["affirm"]
	for i, stage := range []string{"first", "next", "last"} {
		r := d.run(part{1, 3})
		r.speak(words, stage, 1)
		said := &block{lines: []line{{text: d.said[i]}}}
		r.place(said, newPiece(said.lines, true, true))
		r.speak(words, "after", 1)
		if r.err == nil {
			last := d.passages[len(d.passages)-1]
			last.affirms = true
		}
	}
}

func texts(lines []line) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = l.text
	}
	return all
}
