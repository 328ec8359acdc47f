package script

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// never is the age of what was not spoken lately.
const never = math.MaxInt

// memory says how long ago a member was told something: 0 in the last script, 1 in the one before it.
type memory struct {
	ages map[string]int
	// others are sentences that do not stand in the words as they were spoken, since they hold a title or a name; the
	// newest first.
	others []string
}

// remember reads the sentences of a member's last scripts, the newest first.
func (lib *library) remember(past [][]string) memory {
	m := memory{ages: map[string]int{}}
	for age, sentences := range past {
		for _, s := range sentences {
			if _, met := m.ages[s]; met {
				continue
			}
			m.ages[s] = age
			if !lib.known[s] {
				m.others = append(m.others, s)
			}
		}
	}
	return m
}

// age of a sentence as it stands in the words. One with a title or a name is found by what stands around that.
func (m memory) age(text string) int {
	open, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if open < 0 || end < open {
		if age, met := m.ages[text]; met {
			return age
		}
		return never
	}
	before, behind := text[:open], text[end+1:]
	for _, s := range m.others {
		if len(s) > len(before)+len(behind) && strings.HasPrefix(s, before) && strings.HasSuffix(s, behind) {
			return m.ages[s]
		}
	}
	return never
}

// block is as old as the sentence of it that was spoken last.
func (m memory) block(b *block) int {
	age := never
	for _, l := range b.lines {
		age = min(age, m.age(l.text))
	}
	return age
}

// stage is as old as the block of it that was spoken last.
func (m memory) stage(blocks []*block) int {
	age := never
	for _, b := range blocks {
		age = min(age, m.block(b))
	}
	return age
}

// longestAgo orders things by their age: first those that were never spoken, then the oldest, equals by lot.
func longestAgo[T any](things []T, age func(T) int, rng *rand.Rand) []T {
	type aged struct {
		thing T
		age   int
	}
	all := make([]aged, len(things))
	for i, at := range rng.Perm(len(things)) {
		all[i] = aged{things[at], age(things[at])}
	}
	slices.SortStableFunc(all, func(x, y aged) int {
		switch {
		case x.age > y.age:
			return -1
		case x.age < y.age:
			return 1
		}
		return 0
	})
	ordered := make([]T, len(all))
	for i, a := range all {
		ordered[i] = a.thing
	}
	return ordered
}
