package safety

import (
	"cmp"
	_ "embed"
	"slices"
	"sync"

	"serein.app/services/generation/internal/safety/linear"
)

//go:generate go run ./cmd/traincare

// weights of the classifier, made by cmd/traincare from the titles in testdata/written and
// testdata/learnt.
//
//go:embed classifier.bin
var weights []byte

// Chances, 0 to 1, from which the classifier speaks. They were chosen on titles of authors of whom the classifier
// had read nothing else (authors_test.go); testdata/README.md has the figures.
const (
	// ordinaryCrisis is the chance of a crisis, of a crisis and an ordinary title, and gentleCrisis that of a crisis, of a crisis and
	// any class that is met gently. Both together find a crisis: no meditation is made.
	ordinaryCrisis, gentleCrisis = 0.44, 0.58
	// classFrom is the chance of any other class that finds it, in a title that is not ordinary.
	classFrom = 0.2
	// careFrom is the chance that a title is not ordinary from which classes are found, or else the net.
	careFrom = 0.59
	// believedFrom is the same chance below which weak rules are not believed, and crisisBelievedFrom that for rules of crisis.
	believedFrom, crisisBelievedFrom = 0.4, 0.3
	// A weak rule of crisis is not believed either where a crisis is less likely than unlikelyCrisis and the classes that are met
	// gently together are likelier than surelyGentle.
	unlikelyCrisis, surelyGentle = 0.1, 0.7
	// doubtFrom is the chance that a title is not ordinary from which it is not quoted. Its meditation may be an ordinary one.
	doubtFrom = 0.1
)

const (
	// leastWords of a title, its two edges included, from which the classifier finds anything. Of one word alone it
	// says more about the titles that were learnt than about this one; it may doubt it all the same.
	leastWords = 4
	// maxWords is the length of a title, in words, up to which the classifier may contradict rules. In longer titles it
	// overlooks some words.
	maxWords = 18
)

var (
	// Learnt are the classes that the classifier knows, in the order of its weights. Heavy is none: no
	// title is labelled so.
	Learnt = slices.DeleteFunc(slices.Clone(Classes), func(c Class) bool { return c == Heavy })
	// gently are those that are met gently.
	gently = slices.DeleteFunc(slices.Clone(Learnt), func(c Class) bool { return c == Crisis || c == Ordinary })
)

// Legible are the title's words as the classifier reads them: what an idiom takes up is hidden, as it is
// from the rules of the net.
func Legible(title string) []linear.Word {
	var read []string
	for part := range windows(words(title)) {
		read = append(read, legible(part, rules().hidden(rules().places(part)))...)
	}
	return known(read)
}

// hiddenWord stands in the place of a word that an idiom takes up.
const hiddenWord = "~"

func legible(words []string, hidden []uint64) []string {
	out := slices.Clone(words)
	for i := range out {
		if hidden[rank(Heavy)]&(1<<i) != 0 {
			out[i] = hiddenWord
		}
	}
	return out
}

var classifier = sync.OnceValue(func() *linear.Model {
	m, err := linear.Open(weights, len(Learnt))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m
})

// answer is what a classifier says of words; the zero answer is of none.
type answer struct {
	words int
	// chances are those of Learnt, in their order.
	chances []float32
}

// ask reads legible words with a classifier.
func ask(by *linear.Model, words []string) answer {
	return answer{len(words), by.Chances(known(words))}
}

func (a answer) of(class Class) float32 { return a.chances[slices.Index(Learnt, class)] }

// care is the chance that the words are not ordinary.
func (a answer) care() float32 { return 1 - a.of(Ordinary) }

// gentle is the chance that the words are met gently, of whichever class.
func (a answer) gentle() float32 { return a.care() - a.of(Crisis) }

// crisis says whether a crisis is likely enough beside each of the others.
func (a answer) crisis() bool {
	crisis := a.of(Crisis)
	return crisis >= ordinaryCrisis*(crisis+a.of(Ordinary)) && crisis >= gentleCrisis*a.care()
}

// contradicts says whether the words were read, are few and do not seem to be what weak rules of a class find.
func (a answer) contradicts(class Class) bool {
	switch {
	case a.words == 0 || a.words > maxWords:
		return false
	case class == Crisis:
		return a.care() < crisisBelievedFrom || a.of(Crisis) < unlikelyCrisis && a.gentle() > surelyGentle
	}
	return a.care() < believedFrom
}

// learnt adds what a classifier finds. Of the classes to be met gently the likeliest leads; the others that are likely
// are guessed.
func (f *Finding) learnt(a answer) {
	if a.words == 0 {
		return
	}
	f.doubted = f.doubted || a.care() >= doubtFrom
	likeliest := slices.MaxFunc(gently, func(one, other Class) int { return cmp.Compare(a.of(one), a.of(other)) })
	switch {
	case a.words < leastWords:
	case a.crisis():
		f.add(rule{rank: rank(Crisis)})
	case a.care() < careFrom:
	case a.of(likeliest) < classFrom:
		f.add(rule{rank: rank(Heavy)})
	default:
		f.add(rule{rank: rank(likeliest)})
		f.guess(slices.DeleteFunc(slices.Clone(gently), func(c Class) bool { return a.of(c) < classFrom }))
	}
}

// guess notes classes that are not found yet.
func (f *Finding) guess(classes []Class) {
	for _, class := range classes {
		if bit := uint(1) << rank(class); f.found&bit == 0 {
			f.found |= bit
			f.guessed |= bit
		}
	}
}
