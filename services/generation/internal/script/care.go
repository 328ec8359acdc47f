package script

import (
	"slices"

	"serein.app/services/generation/internal/safety"
)

// spares says which kinds of blocks a class of titles is spared. The kinds are explained in README.md.
var spares = map[safety.Class][]string{
	safety.Trauma:    {"body", "strain", "health", "playful", "bright"},
	safety.Grief:     {"playful", "bright", "pet", "belly"},
	safety.Pregnancy: {"strain", "supine", "health", "belly"},
	safety.Illness:   {"strain", "health", "playful"},
	safety.Pain:      {"strain", "health", "playful"},
}

// takeCare makes a tag of every class that the title speaks of, and spares it what would hurt. What
// is heavy is met as a trauma is: with open eyes, in the room, and never inside the body.
func (sc scene) takeCare(found safety.Finding) {
	for class, kinds := range spares {
		if !found.Speaks(class) && (class != safety.Trauma || !found.Speaks(safety.Heavy)) {
			continue
		}
		sc.tags[string(class)] = true
		for _, kind := range kinds {
			sc.spared[kind] = true
		}
	}
}

// holds says that a block may be spoken: all it needs is there, and it is of no kind that is spared.
func (sc scene) holds(b *block) bool {
	lacks := func(tag string) bool { return !sc.tags[tag] }
	spared := func(kind string) bool { return sc.spared[kind] }
	return !slices.ContainsFunc(b.needs, lacks) && !slices.ContainsFunc(b.kinds, spared)
}

// caring says that a block was written for titles that need care.
func caring(b *block) bool {
	return slices.ContainsFunc(b.needs, func(tag string) bool { return spares[safety.Class(tag)] != nil })
}

// writtenFirst keeps to the blocks that were written for such titles, where there are n of them.
func writtenFirst(blocks []*block, n int) []*block {
	written := slices.DeleteFunc(slices.Clone(blocks), func(b *block) bool { return !caring(b) })
	if n > 0 && len(written) >= n {
		return written
	}
	return blocks
}
