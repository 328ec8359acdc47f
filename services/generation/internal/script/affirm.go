package script

import "slices"

// affirmations chooses the set that is said: of the catalogue's and the type's further ones, the one that was not said
// for the longest time, and the catalogue's to a new member. No line is said that the title is spared, and to a title that needs
// care only such as the words know; others stand in the place of the rest.
func (d *draft) affirmations(s *sheet, asked []string) []string {
	set := asked
	for _, b := range longestAgo(d.suitable(s.stages["affirm"]), d.memory.block, d.rng) {
		other := texts(b.lines)
		if d.ageOf(other) > d.ageOf(set) && !slices.ContainsFunc(other, d.unsaid) {
			set = other
			break
		}
	}
	return d.judged(set)
}

// judged puts others in the place of the affirmations that may not be said.
func (d *draft) judged(set []string) []string {
	own := longestAgo(d.suitable(d.lib.common["affirm"].stages["own"]), d.memory.block, d.rng)
	said := make([]string, len(set))
	for i, text := range set {
		if said[i] = text; d.unsaid(text) {
			said[i], own = own[0].lines[0].text, own[1:]
		}
	}
	return said
}

// unsaid says that an affirmation is of a kind that the title is spared, or that nobody has judged it for a title that needs care.
func (d *draft) unsaid(text string) bool {
	known := d.lib.common["affirm"].stages["known"]
	at := slices.IndexFunc(known, func(b *block) bool { return b.lines[0].text == text })
	if at < 0 {
		return d.scene.cared
	}
	return !d.scene.holds(known[at])
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
