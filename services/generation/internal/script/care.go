package script

import (
	"slices"

	"serein.app/services/generation/internal/safety"
)

// spares says which kinds of blocks a class of titles is spared. The kinds are explained in README.md.
var spares = map[safety.Class][]string{
	safety.Trauma:      {"body", "strain", "health", "playful", "bright", "pass", "glad"},
	safety.Grief:       {"playful", "bright", "pet", "belly", "family", "pass", "glad"},
	safety.Infertility: {"body", "strain", "health", "playful", "bright", "belly", "family", "pass", "glad"},
	safety.Pregnancy:   {"strain", "supine", "health", "belly", "pass"},
	safety.Breath:      {"body", "strain", "health", "breath", "pass", "glad"},
	safety.Illness:     {"strain", "health", "playful", "pass", "glad"},
	safety.Pain:        {"strain", "health", "playful", "pass", "glad"},
	safety.Breakup:     {"playful", "bright", "company", "pass", "glad"},
	safety.Hardship:    {"playful", "bright", "plenty", "pass", "glad"},
	safety.Shame:       {"playful", "bright", "health", "fault", "pass", "glad"},
	safety.Lonely:      {"playful", "bright", "company", "family", "pass", "glad"},
	safety.Heavy:       {"body", "strain", "health", "playful", "bright", "pass", "glad"},
}

// outward are the classes that are met with open eyes, in the room, and never inside the body.
var outward = []safety.Class{safety.Trauma, safety.Infertility, safety.Breath, safety.Heavy}

// lookOutward is the tag of those classes.
const lookOutward = "outward"

// takeCare spares the title what would hurt any class that it speaks of, and makes a tag of every class of which that is sure.
func (sc scene) takeCare(found safety.Finding) {
	for class, kinds := range spares {
		if !found.Speaks(class) {
			continue
		}
		if found.Sure(class) {
			sc.tags[string(class)] = true
		}
		if slices.Contains(outward, class) {
			sc.tags[lookOutward] = true
		}
		for _, kind := range kinds {
			sc.spared[kind] = true
		}
	}
}

// busy is the kind of what speaks of the day's work, plans, errands, conversations and screens.
const busy = "busy"

// spareAtNight spares the night, and titles about sleep at any hour, what is busy.
func (sc scene) spareAtNight() {
	aboutSleep := func(theme *sheet) bool { return theme.id == "sleep" || theme.id == "night-waking" }
	if sc.tags["sleep"] || slices.ContainsFunc(sc.themes, aboutSleep) {
		sc.spared[busy] = true
	}
}

// holds says that a block may be spoken: all it needs is there, it is of no kind that is spared, it leaves the sore place alone, and
// beside a sound it does not speak of what is to be heard.
func (sc scene) holds(b *block) bool {
	if b.parts&sc.sore != 0 || b.hears && sc.soundAlone {
		return false
	}
	lacks := func(tag string) bool { return !sc.tags[tag] }
	spared := func(kind string) bool { return sc.spared[kind] }
	return !slices.ContainsFunc(b.needs, lacks) && !slices.ContainsFunc(b.kinds, spared)
}

// forCare says that a theme was written for titles that need care.
func forCare(theme string) bool {
	return spares[safety.Class(theme)] != nil || slices.Contains(safety.Topics(), theme)
}

// caring says that a block was written for titles that need care.
func caring(b *block) bool {
	return slices.ContainsFunc(b.needs, func(tag string) bool { return tag == lookOutward || spares[safety.Class(tag)] != nil })
}

// writtenFirst keeps to the blocks that were written for such titles, where there are n of them.
func writtenFirst(blocks []*block, n int) []*block {
	written := slices.DeleteFunc(slices.Clone(blocks), func(b *block) bool { return !caring(b) })
	if n > 0 && len(written) >= n {
		return written
	}
	return blocks
}
