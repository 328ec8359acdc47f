package classify

// term is a word or phrase of the lexicon: its weight in each category, none for a neutral one.
type term struct {
	name    string
	weights [categoryCount]int
}

// lexicon finds terms in runs of words.
type lexicon struct {
	terms []*term
	exact map[string]int // by form
	root  *node          // by stems
}

// node is a step of a phrase. term is its number in the lexicon, -1 where no term ends.
type node struct {
	next map[string]*node
	term int
}

func newNode() *node { return &node{next: map[string]*node{}, term: -1} }

func newLexicon() *lexicon { return &lexicon{exact: map[string]int{}, root: newNode()} }

// place answers the term at a phrase, made where there was none.
func (l *lexicon) place(name string, words []word, exact bool) *term {
	if exact {
		return l.placeExact(name, words[0].form)
	}
	at := l.root
	for _, w := range words {
		if at.next[w.stem] == nil {
			at.next[w.stem] = newNode()
		}
		at = at.next[w.stem]
	}
	if at.term < 0 {
		at.term = l.add(name)
	}
	return l.terms[at.term]
}

func (l *lexicon) placeExact(name, form string) *term {
	if _, there := l.exact[form]; !there {
		l.exact[form] = l.add(name)
	}
	return l.terms[l.exact[form]]
}

func (l *lexicon) add(name string) int {
	l.terms = append(l.terms, &term{name: name})
	return len(l.terms) - 1
}

// count adds every term in the text to counts, and answers how many words the text has. Where one
// term begins with another the longer is counted, and no word counts twice.
func (l *lexicon) count(text string, counts []float64, each float64) (words int) {
	for _, run := range passages(text) {
		words += len(run)
		for at := 0; at < len(run); {
			found, length := l.longest(run[at:])
			if found >= 0 {
				counts[found] += each
			}
			at += length
		}
	}
	return words
}

// longest answers the longest term that the run begins with and its length; -1 and 1 for none.
func (l *lexicon) longest(run []word) (found, length int) {
	found, length = -1, 1
	if number, there := l.exact[run[0].form]; there {
		found = number
	}
	at := l.root
	for i, w := range run {
		if at = at.next[w.stem]; at == nil {
			break
		}
		if at.term >= 0 && (i > 0 || found < 0) {
			found, length = at.term, i+1
		}
	}
	return found, length
}
