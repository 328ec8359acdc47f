package safety

import (
	_ "embed"
	"math/bits"
	"strings"
	"sync"
)

//go:embed rules.txt
var rulesText string

const (
	// everyClass is the class of idioms that hold for all but crisis.
	everyClass Class = ""
	// violence is that of idioms of crisis whose words name what people do to one another.
	violence Class = "violence"
)

// anywhere in a title.
const anywhere = ^uint64(0)

// Topics of rules. Of plain ones, which are of crisis, no idiom hides anything. Of certain ones, and of plain ones too, the
// classifier takes nothing back.
const plain, certain = "plain", "certain"

// maxGap is how many words may stand where a rule has "..".
const maxGap = 3

// ruleSet is rules.txt, read once. Sets of words are known by number.
type ruleSet struct {
	rules []rule
	// idioms hide words from the rules of a class, or of every class; never from plain rules.
	idioms map[Class][]rule
	// names are whole titles that are somebody's name for a thing, and hidden from all rules.
	names []rule
	// cancel and near are sets: beside the words of cancel no idiom hides anything from the rules of
	// crisis; beside the people of near none of violence does.
	cancel, near int
	// whole words, beginnings of words and what stands anywhere within one, with the numbers of the sets they are in.
	whole, stems, within map[string][]int
	sets                 int
}

// rule finds words in order.
type rule struct {
	// rank of its class among Classes.
	rank  int
	topic string
	// line of rules.txt, for tests that say which rule spoke.
	line int
	// plain rules look at every word. The classifier takes nothing back from certain ones.
	plain, certain bool
	items          []item
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
		if !ascii(w) {
			for part, sets := range r.within {
				if strings.Contains(w, part) {
					for _, set := range sets {
						at[set] |= 1 << i
					}
				}
			}
		}
	}
	return at
}

// hidden are the words that idioms take from the rules of a class, by its rank, as bits. Those of
// every class take nothing from crisis. What any of them takes up is not heavy, unless a word of
// cancel or a person of near stands beside it.
func (r *ruleSet) hidden(at places) []uint64 {
	shared := at.covered(r.idioms[everyClass], 0)
	hidden := make([]uint64, len(Classes))
	for n, class := range Classes {
		hidden[n] = shared | at.covered(r.idioms[class], 0)
	}
	danger := at[r.cancel] | at[r.near]
	hidden[rank(Crisis)] = at.covered(r.idioms[Crisis], at[r.cancel]) | at.covered(r.idioms[violence], danger)
	hidden[rank(Heavy)] = hidden[rank(Crisis)] | at.covered(r.idioms[everyClass], danger) | at.covered(r.idioms[Heavy], danger)
	return hidden
}

// covered are the words that idioms take up, as bits, without idioms that have a word of cancel beside them.
func (at places) covered(idioms []rule, cancel uint64) (covered uint64) {
	for _, idiom := range idioms {
		for starts := at[idiom.items[0].set]; starts != 0; starts &= starts - 1 {
			first := bits.TrailingZeros64(starts)
			ends := idiom.ends(at, 1<<first, anywhere)
			if ends == 0 {
				continue
			}
			span := uint64(2<<bits.TrailingZeros64(ends)-1) &^ (1<<first - 1)
			if cancel&^span == 0 {
				covered |= span
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
