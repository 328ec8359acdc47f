package script

import (
	"path"
	"slices"
	"strings"
	"sync"

	"serein.app/services/generation/internal/safety"
)

// Place is where a sentence stands: the passage that it is said in, and what is known of the script around it.
type Place struct {
	// Title is the member's; what it needs care for is spared here too.
	Title string
	// Immersive says that a sound goes with the voice.
	Immersive bool
	// Passage has the sentences, of which the one with index At is to be another. Inner says that it is neither the first nor the last passage.
	Passage []string
	At      int
	Inner   bool
}

// Others are what may be said in the place of some sentences.
type Others struct {
	// First and Count say which sentences of the passage are replaced: those of one thought, which stand beside each other.
	First, Count int
	// Instead has, for each of the choices, the sentences of one thought. The first of them needs none of the others, and each other one
	// only those before it.
	Instead [][]string
}

// Another answers what Serein's own words have in the place of a sentence, the thoughts of the same stage of the same picture, practice,
// theme or type. For a sentence that does not stand in the words they are what may be said to everybody. Instead is empty where there is
// nothing else. Errors are those of Load.
func Another(p Place) (Others, error) {
	lib, err := words()
	if err != nil {
		return Others{}, err
	}
	found := safety.Classify(p.Title)
	may := func(b *block) bool {
		return !b.crowded && !b.asks() && (!p.Immersive || !b.hears) && b.parts&soreParts(p.Title, found) == 0 && !b.holdsNames()
	}
	at, known := placesByText()[p.Passage[p.At]]
	if !known {
		return Others{First: p.At, Count: 1, Instead: lib.gentle(p.Inner, may)}, nil
	}
	o := Others{First: p.At, Count: 1}
	if at.promises() {
		return o, nil
	}
	if !at.apart() {
		o.First, o.Count = at.block.span(p.Passage, p.At)
	}
	for _, b := range at.beside {
		if b == at.block || !may(b) || !b.suitsWhere(at.block) {
			continue
		}
		said := texts(b.lines)
		if at.apart() {
			said = said[at.index : at.index+1]
		}
		o.Instead = append(o.Instead, said)
	}
	return o, nil
}

// place is where a sentence stands in the words.
type place struct {
	where string
	block *block
	index int
	// beside are all blocks of its stage or station, its own too.
	beside []*block
}

// promises says that what is said later depends on the sentence: the beginning of a path names where it leads.
func (p place) promises() bool { return path.Base(p.where) == "begin" }

// apart says that the sentences of the block are said in different passages: a set of affirmations.
func (p place) apart() bool { return path.Base(p.where) == "affirm" }

// placesByText finds each sentence that is spoken as it is written. It is empty where the words cannot be read.
var placesByText = sync.OnceValue(func() map[string]place {
	lib, err := words()
	if err != nil {
		return nil
	}
	return lib.places()
})

func (lib *library) places() map[string]place {
	beside, all := map[string][]*block{}, map[string]place{}
	lib.each(func(where string, b *block) { beside[where] = append(beside[where], b) })
	for where, blocks := range beside {
		if strings.HasPrefix(where, "common/affirm/") {
			continue // these stand in the types too, by sets
		}
		for _, b := range blocks {
			for i, l := range b.lines {
				all[l.text] = place{where: where, block: b, index: i, beside: blocks}
			}
		}
	}
	return all
}

// gentle are the thoughts that may be said to everybody, in the middle of a script.
func (lib *library) gentle(inner bool, may func(*block) bool) (instead [][]string) {
	if !inner {
		return nil
	}
	for _, b := range lib.common["gentle"].stages["turn"] {
		if may(b) && len(b.needs) == 0 {
			instead = append(instead, texts(b.lines)[:1])
		}
	}
	return instead
}

// span is the sentences of the block that stand beside each other in the passage, around one of them.
func (b *block) span(passage []string, at int) (first, count int) {
	own := texts(b.lines)
	first, end := at, at+1
	for first > 0 && slices.Contains(own, passage[first-1]) {
		first--
	}
	for end < len(passage) && slices.Contains(own, passage[end]) {
		end++
	}
	return first, end - first
}

// suitsWhere says that the block may be said wherever the other one was: it asks for nothing more of the scene, is about nothing more that
// some are spared, and compares no more.
func (b *block) suitsWhere(other *block) bool {
	foreign := func(tags, allowed []string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return !slices.Contains(allowed, tag) })
	}
	compares := func(l line) bool { return l.simile }
	return !foreign(b.needs, other.needs) && !foreign(b.kinds, other.kinds) &&
		(!slices.ContainsFunc(b.lines, compares) || slices.ContainsFunc(other.lines, compares))
}

// holdsNames says that a sentence of the block has a title or a name in it.
func (b *block) holdsNames() bool {
	return slices.ContainsFunc(b.lines, func(l line) bool { return strings.Contains(l.text, "{") })
}
