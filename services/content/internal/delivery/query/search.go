package query

import (
	"strings"
	"unicode"

	"serein.app/services/content/internal/entry"
)

// Limits of a search. A word more costs a look into the index.
const (
	maxSearch = 1000 // bytes
	maxWords  = 20
)

// words are what a search looks for: the beginnings of words, in lower case.
func words(text string) ([]any, error) {
	if len(text) > maxSearch {
		return nil, bad("A search has %d characters at most.", maxSearch)
	}
	var found []any
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		found = append(found, strings.ToLower(word))
	}
	if len(found) > maxWords {
		return nil, bad("A search has %d words at most.", maxWords)
	}
	return found, nil
}

// search reads query, the search in all texts.
func (p *parser) search() error {
	if p.q.Of == ContentTypes {
		return p.searchNames()
	}
	if p.q.Of != Entries && p.q.Of != Assets {
		return nil
	}
	text, ok := p.take("query")
	if !ok {
		return nil
	}
	found, err := words(text)
	for _, word := range found {
		s, _ := word.(string)
		p.q.Words = append(p.q.Words, s)
	}
	p.q.Nothing = p.q.Nothing || len(found) == 0
	p.q.Sent = p.sent()
	return err
}

// searchNames reads the words of content types' names; without a word all are found.
func (p *parser) searchNames() error {
	text, _ := p.take("query")
	found, err := words(text)
	if len(found) > 0 {
		p.q.Filters = append(p.q.Filters, Filter{Target: own[ContentTypes]["name"], Op: Match, Values: found})
	}
	return err
}

// sent are the fields of what is searched that are not omitted.
func (p *parser) sent() map[string][]string {
	types := p.model.Types
	if p.q.Of == Assets {
		types = map[string]entry.ContentType{"": entry.Asset()}
	}
	sent := map[string][]string{}
	for id, t := range types {
		for _, f := range t.Fields {
			if !f.Omitted {
				sent[id] = append(sent[id], f.ID)
			}
		}
	}
	return sent
}
