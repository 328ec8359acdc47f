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

// Terms are the tags, schemes and concepts of the files, with their positions. Broader concepts come before narrower ones.
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

type tagDef struct {
	ID, Name string
}

type schemeDef struct {
	ID, Name, Definition string
	Concepts             []yaml.Node
}

type conceptDef struct {
	ID, Name, Definition string
	Broader              []string
}

// readTerms reads the terms that entries may name.
func (r *reader) readTerms() {
	eachOf(r, tagsFile, func(at Place, def tagDef) {
		if r.takeTerm(at, tagsKey, def.ID, def.Name) {
			r.contents.Terms.Tags = append(r.contents.Terms.Tags, Term[entry.Tag]{at, entry.Tag{ID: def.ID, Name: def.Name}})
		}
	})
	eachOf(r, taxonomyFile, func(at Place, def schemeDef) {
		if !r.takeTerm(at, "schemes", def.ID, def.Name) {
			return
		}
		scheme := entry.ConceptScheme{ID: def.ID, PrefLabel: label(def.Name), Definition: label(def.Definition)}
		r.contents.Terms.Schemes = append(r.contents.Terms.Schemes, Term[entry.ConceptScheme]{at, scheme})
		for _, n := range def.Concepts {
			r.readConcept(scheme.ID, &n)
		}
	})
}

// readConcept reads a concept. Its broader concepts must come before it, so that concepts form no cycle.
func (r *reader) readConcept(scheme string, n *yaml.Node) {
	at := Place{taxonomyFile, n.Line}
	def, err := decode[conceptDef](n)
	if err != nil {
		r.fault(at.File, at.Line, err)
		return
	}
	for _, above := range def.Broader {
		if !r.terms["concepts"][above] {
			r.fault(at.File, at.Line, fmt.Errorf("no concept %s stands above this one", above))
			return
		}
	}
	if r.takeTerm(at, "concepts", def.ID, def.Name) {
		r.contents.Terms.Concepts = append(r.contents.Terms.Concepts, Term[entry.Concept]{at, entry.Concept{
			ID: def.ID, Scheme: scheme, PrefLabel: label(def.Name), Definition: label(def.Definition), Broader: slices.Sorted(slices.Values(def.Broader)), Top: len(def.Broader) == 0,
		}})
	}
}

// takeTerm reserves an id of a kind. It reports a fault when the id is invalid or taken, or the name is missing.
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

// mark adds the tags that the draft's file names.
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

// file adds the concepts of the draft's categories.
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
		def, err := decode[T](element)
		if err != nil {
			r.fault(file, element.Line, err)
			continue
		}
		use(Place{file, element.Line}, def)
	}
}

func decode[T any](n *yaml.Node) (def T, err error) {
	if err := n.Decode(&def); err != nil {
		return def, errors.New(err.Error()) // its line is of the node alone
	}
	return def, nil
}

func label(text string) map[string]string {
	if text == "" {
		return nil
	}
	return map[string]string{locale: text}
}
