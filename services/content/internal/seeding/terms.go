package seeding

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
)

// Files of terms.
const (
	tagsFile     = "tags.yaml"
	taxonomyFile = "taxonomy.yaml"
)

// tagsKey is where an entry's file names its tags.
const tagsKey = "tags"

// Terms are what items are marked with, each where it stands, broader concepts before those that lie below them.
type Terms struct {
	Tags     []Term[entry.Tag]
	Schemes  []Term[entry.ConceptScheme]
	Concepts []Term[entry.Concept]
}

// Term is a tag, a scheme or a concept.
type Term[T any] struct {
	Place

	Term T
}

type tagSaid struct {
	ID, Name string
}

type schemeSaid struct {
	ID, Name, Definition string
	Concepts             []yaml.Node
}

type conceptSaid struct {
	ID, Name, Definition string
	Broader              []string
}

// readTerms reads the terms, which entries then may have.
func (r *reader) readTerms() {
	eachOf(r, tagsFile, func(at Place, said tagSaid) {
		if r.takeTerm(at, tagsKey, said.ID, said.Name) {
			r.contents.Terms.Tags = append(r.contents.Terms.Tags, Term[entry.Tag]{at, entry.Tag{ID: said.ID, Name: said.Name}})
		}
	})
	eachOf(r, taxonomyFile, func(at Place, said schemeSaid) {
		if !r.takeTerm(at, "schemes", said.ID, said.Name) {
			return
		}
		scheme := entry.ConceptScheme{ID: said.ID, PrefLabel: label(said.Name), Definition: label(said.Definition)}
		r.contents.Terms.Schemes = append(r.contents.Terms.Schemes, Term[entry.ConceptScheme]{at, scheme})
		for _, n := range said.Concepts {
			r.readConcept(scheme.ID, &n)
		}
	})
}

// readConcept reads one whose broader ones stand above it, so that no circle can be.
func (r *reader) readConcept(scheme string, n *yaml.Node) {
	at := Place{taxonomyFile, n.Line}
	said, err := decode[conceptSaid](n)
	if err != nil {
		r.fault(at.File, at.Line, err)
		return
	}
	for _, above := range said.Broader {
		if !r.terms["concepts"][above] {
			r.fault(at.File, at.Line, fmt.Errorf("no concept %s stands above this one", above))
			return
		}
	}
	if r.takeTerm(at, "concepts", said.ID, said.Name) {
		r.contents.Terms.Concepts = append(r.contents.Terms.Concepts, Term[entry.Concept]{at, entry.Concept{
			ID: said.ID, Scheme: scheme, PrefLabel: label(said.Name), Definition: label(said.Definition), Broader: slices.Sorted(slices.Values(said.Broader)), Top: len(said.Broader) == 0,
		}})
	}
}

// takeTerm gives an id of its kind to the first that wants it.
func (r *reader) takeTerm(at Place, kind, id, name string) bool {
	if !entry.ValidID(id) || name == "" || r.terms[kind][id] {
		r.fault(at.File, at.Line, fmt.Errorf("the id %q cannot be or stands here twice, or there is no name", id))
		return false
	}
	if r.terms[kind] == nil {
		r.terms[kind] = map[string]bool{}
	}
	r.terms[kind][id] = true
	return true
}

// mark gives the draft the tags that its file names.
func (r *reader) mark(d *draft, n *yaml.Node, above int) {
	names, err := decode[[]string](n)
	if err != nil {
		r.fault(d.File, n.Line+above, errors.New("tags: a list is needed here"))
		return
	}
	for _, name := range names {
		id := kebab(name)
		if !r.terms[tagsKey][id] || slices.Contains(d.tags, id) {
			r.fault(d.File, n.Line+above, fmt.Errorf("there is no tag %s, or it stands here twice", name))
			continue
		}
		d.tags = append(d.tags, id)
	}
}

// file gives the draft the concepts of the categories that it is filed under.
func (r *reader) file(d *draft, links []entry.Link) {
	for _, to := range links {
		if to.Kind == entry.KindEntry && r.terms["concepts"][to.ID] && !slices.Contains(d.concepts, to.ID) {
			d.concepts = append(d.concepts, to.ID)
		}
	}
}

// eachOf reads a file that holds a list of mappings. A missing file is an empty list.
func eachOf[T any](r *reader, file string, use func(Place, T)) {
	data, err := fs.ReadFile(r.files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.fault(file, 0, err)
		return
	}
	n := r.parse(file, 0, string(data), yaml.SequenceNode)
	if n == nil {
		return
	}
	for _, element := range n.Content {
		said, err := decode[T](element)
		if err != nil {
			r.fault(file, element.Line, err)
			continue
		}
		use(Place{file, element.Line}, said)
	}
}

func decode[T any](n *yaml.Node) (said T, err error) {
	if err := n.Decode(&said); err != nil {
		return said, errors.New(err.Error()) // its line is of the node alone
	}
	return said, nil
}

func label(text string) map[string]string {
	if text == "" {
		return nil
	}
	return map[string]string{locale: text}
}
