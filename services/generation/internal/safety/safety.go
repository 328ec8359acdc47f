// Package safety says what a title speaks of: nothing that needs care, something that a meditation
// must be made around (a loss, an illness, a hardship, or words too heavy to be said back), or a
// crisis, of which no meditation is made at all.
//
// It reads words and their order by the rules in rules.txt, and by a classifier that has learnt from
// labelled titles. What either finds counts, but a short title in which only weak rules find something and which seems
// ordinary to the classifier falls into the net; so does a crisis of weak rules alone that surely is something to be met gently, below
// what that is. A title may be quoted only where neither finds anything and the
// classifier does not doubt that it is ordinary. It reads English, and the plainest sentences of the languages spoken in Britain; of other letters than Latin no title is quoted. The time is linear in the title.
// It decides nothing about what then happens: package title refuses, package script chooses words. It refuses
// no input and logs nothing; titles of this kind must not reach a log.
package safety

import (
	"slices"
	"unicode"

	"serein.app/services/generation/internal/safety/linear"
)

// Class is what a title speaks of. Of several in one title, the first in this order leads.
type Class string

// The classes, those that need most care first.
const (
	// Crisis is suicide, self-harm, abuse and assault, of the member or of somebody near.
	Crisis Class = "crisis"
	// Trauma is what still comes back: accidents, war, bullying, flashbacks.
	Trauma Class = "trauma"
	// Grief is a death or the fear of one near, miscarriage included.
	Grief Class = "grief"
	// Infertility is a child that is wished for and does not come, and the treatment for it. It is not
	// Pregnancy: what is kind to the one hurts the other.
	Infertility Class = "infertility"
	// Pregnancy is a body that carries a child or is about to.
	Pregnancy Class = "pregnancy"
	// Breath is a breath that is short or frightens: asthma, lungs, panic.
	Breath Class = "breath"
	// Illness is of body or mind, one's own or somebody's whom one looks after.
	Illness Class = "illness"
	// Pain is a body that hurts.
	Pain Class = "pain"
	// Breakup is a love that has ended or was betrayed.
	Breakup Class = "breakup"
	// Hardship is money, work, food or a home that is missing.
	Hardship Class = "hardship"
	// Shame is guilt, humiliation and the feeling of being no good.
	Shame Class = "shame"
	// Lonely is having nobody, or being left out.
	Lonely Class = "lonely"
	// Heavy is the net beneath the others: a word of death, danger, violence or despair, and no closer
	// class and no idiom that says what is meant; or a title that the classifier takes for none of the others
	// nor for an ordinary one. It may be a crisis that nothing here knows.
	Heavy Class = "heavy"
	// Ordinary is everything else.
	Ordinary Class = "ordinary"
)

// Classes in the order in which they lead.
var Classes = []Class{
	Crisis, Trauma, Grief, Infertility, Pregnancy, Breath, Illness, Pain, Breakup, Hardship, Shame, Lonely, Heavy, Ordinary,
}

// Finding is what Classify recognised in a title.
type Finding struct {
	// Class leads: the first of all that were found.
	Class Class
	// Topic is a closer word for the leading class, such as "miscarriage"; empty if no rule gives one.
	Topic string
	// found has bit n for the class Classes[n], and guessed too where the class is only likely beside a likelier one.
	found, guessed uint
	// doubted says that the classifier does not find the title ordinary enough to be quoted.
	doubted bool
}

// Speaks says whether the title speaks of the class, leading or not. Heavy is spoken of only where it
// leads: a closer class says what its words mean.
func (f Finding) Speaks(of Class) bool {
	return f.Class == of || of != Heavy && f.found&(1<<rank(of)) != 0
}

// Sure says whether the title speaks of the class, and the class is not merely a likely one beside a likelier one. The
// script leaves out what must not be said to a class whenever the title speaks of it; it has the words written for a class
// only when Sure.
func (f Finding) Sure(of Class) bool {
	return f.Speaks(of) && (f.Class == of || f.guessed&(1<<rank(of)) == 0)
}

// Topics are the closer words that a Finding may have for its class, in the order of the rules.
func Topics() (topics []string) {
	for _, r := range rules().rules {
		if r.topic != "" && !slices.Contains(topics, r.topic) {
			topics = append(topics, r.topic)
		}
	}
	return topics
}

// Sensitive says whether the title needs care.
func (f Finding) Sensitive() bool { return f.Class != Ordinary }

// Quotable says whether the title may be spoken. One that needs care never is, nor one in doubt.
func (f Finding) Quotable() bool { return !f.Sensitive() && !f.doubted }

// Classify reads a title, all of it.
func Classify(title string) Finding { return classify(title, classifier()) }

func classify(title string, by *linear.Model) Finding {
	f := Finding{Class: Ordinary}
	f.reads(title, by)
	if read, differs := spaced(title); differs {
		f.reads(read, by)
	}
	return f
}

// foreign says whether most letters of a title are not Latin. The classifier has read English alone and cannot tell whether such a title
// is ordinary.
func foreign(title string) bool {
	most := 0
	for _, r := range title {
		switch {
		case unicode.Is(unicode.Latin, r):
			most--
		case unicode.IsLetter(r):
			most++
		}
	}
	return most > 0
}

// reads adds what rules and classifier find in a title.
func (f *Finding) reads(title string, by *linear.Model) {
	r, unknown := rules(), foreign(title)
	f.doubted = f.doubted || unknown
	for part := range windows(words(title)) {
		at := r.places(part)
		if r.name(at) {
			continue
		}
		hidden, said := r.hidden(at), answer{}
		if !unknown {
			said = ask(by, legible(part, hidden))
		}
		r.read(at, hidden, said, f)
		f.learnt(said)
	}
}

// name says that the words are somebody's name for a thing, and nothing else.
func (r *ruleSet) name(at places) bool {
	return slices.ContainsFunc(r.names, func(name rule) bool { return name.ends(at, anywhere, anywhere) != 0 })
}

// read finds what the rules find in words, at most a window of them. Where the classifier contradicts, what weak rules
// find is only heavy.
func (r *ruleSet) read(at places, hidden []uint64, said answer, f *Finding) {
	danger := at[r.cancel] != 0
	for _, reads := range r.rules {
		open := anywhere
		if !reads.plain {
			open = ^hidden[reads.rank]
		}
		switch {
		case reads.ends(at, anywhere, open) == 0:
		case reads.weak(danger) && said.contradicts(Classes[reads.rank]):
			f.add(rule{rank: rank(Heavy)})
		default:
			f.add(reads)
		}
	}
}

// weak says whether the classifier may contradict the rule in a title with words of danger, or without.
func (r rule) weak(danger bool) bool { return !r.certain && (!danger || Classes[r.rank] != Crisis) }

// add notes the rule's class, and lets it lead where it comes before what was found.
func (f *Finding) add(r rule) {
	f.found |= 1 << r.rank
	f.guessed &^= 1 << r.rank
	if r.rank < rank(f.Class) || r.rank == rank(f.Class) && f.Topic == "" {
		f.Class, f.Topic = Classes[r.rank], r.topic
	}
}

// rank of a class among Classes; negative for what is none.
func rank(c Class) int { return slices.Index(Classes, c) }
