package safety

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"
)

//go:embed rules.txt
var rulesText string

// everyClass is the class of idioms that hold for all.
const everyClass Class = ""

// anywhere in a title.
const anywhere = ^uint64(0)

// maxGap is how many words may stand where a rule has "..".
const maxGap = 3

// ruleSet is rules.txt, read once. Sets of words are known by number.
type ruleSet struct {
	rules []rule
	// idioms hide words from the rules of a class, or of every class.
	idioms map[Class][]rule
	// whole words and beginnings of words, with the numbers of the sets they are in.
	whole, stems map[string][]int
	sets         int
}

// rule finds words in order.
type rule struct {
	// rank of its class among Classes.
	rank  int
	topic string
	items []item
}

// item is a word of a set, at most gap words behind the one before it.
type item struct{ set, gap int }

// places are bits: bit n of places[s] says that word n is in set s.
type places []uint64

var rules = sync.OnceValue(func() *ruleSet {
	r, err := parse(rulesText)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return r
})

var joined = sync.OnceValue(func() map[string]string {
	squeezed := map[string]string{}
	for two, one := range pairs {
		squeezed[squeezeEach(two)] = squeeze(one)
	}
	return squeezed
})

func squeezeEach(text string) string {
	fields := strings.Fields(text)
	for i := range fields {
		fields[i] = squeeze(fields[i])
	}
	return strings.Join(fields, " ")
}

// places finds the sets of every word.
func (r *ruleSet) places(words []string) places {
	at := make(places, r.sets)
	for i, w := range words {
		for _, set := range r.whole[w] {
			at[set] |= 1 << i
		}
		for n := range w {
			for _, set := range r.stems[w[:n]] {
				at[set] |= 1 << i
			}
		}
		for _, set := range r.stems[w] {
			at[set] |= 1 << i
		}
	}
	return at
}

// open are the words that no idiom takes from a class, by its rank, as bits.
func (r *ruleSet) open(at places) []uint64 {
	open := make([]uint64, len(Classes))
	shared := at.covered(r.idioms[everyClass])
	for n, class := range Classes {
		open[n] = ^(shared | at.covered(r.idioms[class]))
	}
	return open
}

// covered are the words that an idiom takes up, as bits.
func (at places) covered(idioms []rule) (covered uint64) {
	for _, idiom := range idioms {
		for starts := at[idiom.items[0].set]; starts != 0; starts &= starts - 1 {
			first := bits.TrailingZeros64(starts)
			if ends := idiom.ends(at, 1<<first, anywhere); ends != 0 {
				covered |= (2<<bits.TrailingZeros64(ends) - 1) &^ (1<<first - 1)
			}
		}
	}
	return covered
}

// ends are the places of the last words of all matches that begin at one of the places from. Only
// words that are open count.
func (r rule) ends(at places, from, open uint64) uint64 {
	reached := at[r.items[0].set] & from & open
	for _, it := range r.items[1:] {
		if reached == 0 {
			return 0
		}
		next := uint64(0)
		for gap := range it.gap + 1 {
			next |= reached << (gap + 1)
		}
		reached = next & at[it.set] & open
	}
	return reached
}
