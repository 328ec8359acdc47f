package safety

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// reader turns rules.txt into a ruleSet.
type reader struct {
	out *ruleSet
	// named sets of words, and the numbers of the sets that rules use, by their words.
	named   map[string][]string
	numbers map[string]int
}

// parse reads rules; the head of rules.txt explains how they are written.
func parse(text string) (*ruleSet, error) {
	rd := reader{
		out:   &ruleSet{whole: map[string][]int{}, stems: map[string][]int{}, within: map[string][]int{}, idioms: map[Class][]rule{}},
		named: map[string][]string{}, numbers: map[string]int{},
	}
	section := []string(nil)
	for n, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		var err error
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case fields[0] == "set" && len(fields) > 3 && fields[2] == "=":
			rd.named[fields[1]], err = rd.expand(fields[3:])
		case fields[0] == "==" && len(fields) > 1:
			section = fields[1:]
		default:
			err = rd.rule(n+1, section, fields)
		}
		if err != nil {
			return nil, fmt.Errorf("safety: line %d: %w", n+1, err)
		}
	}
	rd.out.cancel = rd.number(rd.named["cancel"])
	rd.out.near = rd.number(slices.Concat(rd.named["kin"], rd.named["abuser"]))
	rd.out.sets = len(rd.numbers)
	return rd.out, nil
}

// rule adds one to its section.
func (rd *reader) rule(line int, section, fields []string) error {
	if len(section) == 0 {
		return errors.New("rule before the first section")
	}
	r := rule{line: line, rank: rank(Class(section[0])), topic: strings.Join(section[1:], " ")}
	if r.rank == rank(Crisis) && r.topic == plain {
		r.plain, r.certain, r.topic = true, true, ""
	}
	if r.topic == certain {
		r.certain, r.topic = true, ""
	}
	gap := 0
	for _, field := range fields {
		if field == ".." {
			gap = maxGap
			continue
		}
		words, err := rd.expand(strings.Split(field, "|"))
		if err != nil {
			return err
		}
		r.items = append(r.items, item{set: rd.number(words), gap: gap})
		gap = 0
	}
	switch {
	case len(r.items) == 0:
		return errors.New("rule without words")
	case section[0] == "name":
		if fields[0] != start || fields[len(fields)-1] != end {
			return errors.New("a name must be the whole title")
		}
		rd.out.names = append(rd.out.names, r)
	case section[0] == "idiom":
		rd.out.idioms[Class(r.topic)] = append(rd.out.idioms[Class(r.topic)], r)
	case r.rank < 0:
		return fmt.Errorf("unknown class %q", section[0])
	default:
		rd.out.rules = append(rd.out.rules, r)
	}
	return nil
}

// expand puts the words of named sets in their place.
func (rd *reader) expand(fields []string) (words []string, err error) {
	for _, field := range fields {
		switch name, named := strings.CutPrefix(field, "@"); {
		case !named && field != "":
			words = append(words, field)
		case rd.named[name] == nil:
			return nil, fmt.Errorf("unknown set %q", field)
		default:
			words = append(words, rd.named[name]...)
		}
	}
	return words, nil
}

// number of the set of these words, the same for the same words.
func (rd *reader) number(words []string) int {
	words = slices.Compact(slices.Sorted(slices.Values(words)))
	key := strings.Join(words, "|")
	if n, ok := rd.numbers[key]; ok {
		return n
	}
	n := len(rd.numbers)
	rd.numbers[key] = n
	for _, w := range words {
		rd.enter(w, n)
	}
	return n
}

// enter makes a word known, with the forms that its marks ask for.
func (rd *reader) enter(word string, set int) {
	word, stem := strings.CutSuffix(word, "*")
	word, within := strings.CutPrefix(word, "*")
	word, misspelt := strings.CutSuffix(word, "~")
	forms := []string{asRead(word)}
	if misspelt {
		forms = misspellings(word)
	}
	into := rd.out.whole
	switch {
	case stem && within:
		into = rd.out.within
	case stem:
		into = rd.out.stems
	}
	for _, form := range forms {
		if form = squeeze(form); !slices.Contains(into[form], set) {
			into[form] = append(into[form], set)
		}
	}
}

// asRead is a word of another language as it is read in a title: in small letters, bare of accents, and in Latin where they look it.
func asRead(word string) string {
	if ascii(word) {
		return word
	}
	return likeliest(bare(letters(word)))
}

// misspellings of a word, itself first: a letter left out, two exchanged, a vowel for another.
// The first letter stays, people seldom get it wrong.
func misspellings(word string) []string {
	const vowels = "aeiou"
	forms := []string{word}
	for i := 1; i < len(word); i++ {
		forms = append(forms, word[:i]+word[i+1:])
		if i+1 < len(word) {
			forms = append(forms, word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:])
		}
		if strings.Contains(vowels, word[i:i+1]) {
			for _, vowel := range vowels {
				forms = append(forms, word[:i]+string(vowel)+word[i+1:])
			}
		}
	}
	return forms
}
