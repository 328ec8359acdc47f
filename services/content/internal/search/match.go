package search

import (
	"context"
	"maps"
	"slices"
)

// step is how many words of a query are looked up at once. What has not all of them is not looked at any further.
const step = 8

// found are the items that have a word, each set within the next.
type found struct {
	whole Set // it stands there as it is
	typed Set // or a word stands there that begins with it
	near  Set // or one with a typing error less
}

// match finds the items within a set that have all of the words, in tiers, the best first. No item is in two.
func (s *Searcher) match(ctx context.Context, words []wanted, within Set) ([]Set, error) {
	texts := make([]found, 0, len(words))
	for batch := range slices.Chunk(words, step) {
		more, err := s.look(ctx, batch, InText, BeginsText, within)
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			within = within.and(f.near)
		}
		if within.count() == 0 {
			return nil, nil
		}
		texts = append(texts, more...)
	}
	titles, err := s.look(ctx, words, InTitle, BeginsTitle, within)
	if err != nil {
		return nil, err
	}
	return tiers(titles, texts, within), nil
}

// look finds the items of a set that have each word.
func (s *Searcher) look(ctx context.Context, words []wanted, word, beginning Place, within Set) ([]found, error) {
	var terms []Term
	for _, w := range words {
		terms = append(append(terms, w.terms(word, beginning)...), termsAt(word, w.mistyped)...)
	}
	sets, err := s.index.Postings(ctx, terms, within.Blocks())
	if err != nil {
		return nil, err
	}
	all := make([]found, len(words))
	for i, w := range words {
		all[i].whole = sets[Term{word, w.word}].and(within)
		all[i].typed = union(sets, w.terms(word, beginning)).and(within)
		all[i].near = union(sets, termsAt(word, w.mistyped)).and(within).or(all[i].typed)
	}
	return all, nil
}

func union(sets map[Term]Set, terms []Term) Set {
	either := Set{}
	for _, t := range terms {
		either.join(sets[t])
	}
	return either
}

// tiers puts what was found in order: all words in the title, whole, then begun, then mistyped; then as they were
// typed anywhere, with some in the title before none; then mistyped anywhere, likewise. The text has the title's words.
func tiers(titles, texts []found, within Set) []Set {
	whole := func(f found) Set { return f.whole }
	typed := func(f found) Set { return f.typed }
	nearly := func(f found) Set { return f.near }
	all := []Set{
		every(titles, whole, within), every(titles, typed, within), every(titles, nearly, within),
		every(texts, typed, some(titles, typed)), every(texts, typed, within),
		every(texts, nearly, some(titles, nearly)), every(texts, nearly, within),
	}
	seen := Set{}
	for i, tier := range all {
		all[i] = tier.without(seen)
		seen.join(tier)
	}
	return all
}

func every(of []found, which func(found) Set, within Set) Set {
	both := maps.Clone(within)
	for _, f := range of {
		both = both.and(which(f))
	}
	return both
}

func some(of []found, which func(found) Set) Set {
	either := Set{}
	for _, f := range of {
		either.join(which(f))
	}
	return either
}
