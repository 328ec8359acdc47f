package classify

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/seed/classifier"
)

// Bounds of the editors' file.
const (
	maxWeight     = 6
	maxPhrase     = 5 // words
	exactMark     = "="
	keywordsGlob  = "keywords/*.yaml"
	neutralFile   = "neutral.yaml"
	examplesFile  = "examples.yaml"
	typesFileName = "types.yaml"
)

// Load reads the embedded keywords and examples, and reports every fault in them with its file.
func Load() (*Classifier, error) { return load(classifier.Files) }

func load(files fs.FS) (*Classifier, error) {
	names, err := fs.Glob(files, keywordsGlob)
	if err != nil {
		return nil, err
	}
	r := reader{files: files, lexicon: newLexicon(), examples: newExamples(), seen: map[string]string{}}
	for _, name := range names {
		r.keywords(name)
	}
	r.neutral(neutralFile)
	r.complete()
	r.learn(examplesFile)
	if err := errors.Join(r.faults...); err != nil {
		return nil, err
	}
	return &Classifier{lexicon: r.lexicon, examples: r.examples}, nil
}

// reader fills a lexicon and collects faults. seen has where each term of a category was read.
type reader struct {
	files    fs.FS
	lexicon  *lexicon
	examples *examples
	seen     map[string]string
	found    []string
	faults   []error
}

// keywords reads the words of one category.
func (r *reader) keywords(file string) {
	var content struct {
		Category string              `yaml:"category"`
		Weights  map[int][]yaml.Node `yaml:"weights"`
	}
	if !r.decode(file, &content) {
		return
	}
	category := slices.Index(categories, content.Category)
	if category < 0 {
		r.fault("%s: there is no category %q", file, content.Category)
		return
	}
	r.found = append(r.found, content.Category)
	for _, weight := range slices.Sorted(maps.Keys(content.Weights)) {
		if weight < 1 || weight > maxWeight {
			r.fault("%s: weight %d is not in 1 to %d", file, weight, maxWeight)
			continue
		}
		nodes := content.Weights[weight]
		for i := range nodes {
			if t := r.term(file, content.Category, &nodes[i]); t != nil {
				t.weights[category] = weight
			}
		}
	}
}

// neutral reads the terms that weigh nothing.
func (r *reader) neutral(file string) {
	var nodes []yaml.Node
	if !r.decode(file, &nodes) {
		return
	}
	for i := range nodes {
		if t := r.term(file, "neutral", &nodes[i]); t != nil && t.weights != [categoryCount]int{} {
			r.fault("%s:%d: %q has a weight elsewhere", file, nodes[i].Line, nodes[i].Value)
		}
	}
}

// learn reads the examples.
func (r *reader) learn(file string) {
	var texts map[string][]string
	if !r.decode(file, &texts) {
		return
	}
	for name, all := range texts {
		category := slices.Index(categories, name)
		if category < 0 {
			r.fault("%s: there is no category %q", file, name)
			continue
		}
		for _, text := range all {
			r.examples.add(category, text)
		}
	}
}

// term answers the term that a line names; nil where the line is wrong, or said already in this category.
func (r *reader) term(file, category string, line *yaml.Node) *term {
	where := fmt.Sprintf("%s:%d", file, line.Line)
	name, exact := strings.CutPrefix(line.Value, exactMark)
	runs := passages(name)
	if line.Kind != yaml.ScalarNode || len(runs) != 1 || len(runs[0]) > maxPhrase || exact && len(runs[0]) > 1 {
		r.fault("%s: %q is no word or phrase of %d words at most", where, line.Value, maxPhrase)
		return nil
	}
	t := r.lexicon.place(line.Value, runs[0], exact)
	key := fmt.Sprintf("%s/%p", category, t)
	if before, twice := r.seen[key]; twice {
		r.fault("%s: %q stands at %s already", where, line.Value, before)
		return nil
	}
	r.seen[key] = where
	return t
}

// complete finds categories without a file and those with two.
func (r *reader) complete() {
	slices.Sort(r.found)
	if want := slices.Sorted(slices.Values(categories)); !slices.Equal(r.found, want) {
		r.fault("keywords are there for %q, and should be for %q", r.found, want)
	}
}

func (r *reader) decode(file string, into any) bool {
	data, err := fs.ReadFile(r.files, file)
	if err == nil {
		err = unmarshal(data, into)
	}
	if err != nil {
		r.fault("%s: %w", file, err)
	}
	return err == nil
}

func (r *reader) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf(format, args...))
}
