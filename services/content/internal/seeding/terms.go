package seeding

import (
	"errors"
	"fmt"
	"io/fs"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
)

const (
	// tagsFile has the tags, taxonomyFile the schemes with their concepts; a house may have neither.
	tagsFile     = "tags.yaml"
	taxonomyFile = "taxonomy.yaml"
)

// Kinds of terms among the ids that are taken.
const (
	kindTag     entry.Kind = "Tag"
	kindScheme  entry.Kind = "Scheme"
	kindConcept entry.Kind = "Concept"
)

// Tag is a tag and where it stands.
type Tag struct {
	entry.Tag

	Place Place
}

// Scheme is a scheme of the taxonomy and where it stands.
type Scheme struct {
	entry.ConceptScheme

	Place Place
}

// Concept is a concept and where it stands.
type Concept struct {
	entry.Concept

	Place Place
}

// term is a tag, a scheme or a concept as its file has it.
type term struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Definition string   `json:"definition"`
	Broader    []string `json:"broader"`
}

// readTerms reads tags and taxonomy.
func (r *reader) readTerms() {
	for _, n := range r.readTermsOf(tagsFile) {
		if said, ok := r.readTerm(tagsFile, kindTag, n); ok {
			r.contents.Tags = append(r.contents.Tags, Tag{entry.Tag{ID: said.ID, Name: said.Name}, Place{tagsFile, n.Line}})
		}
	}
	for _, n := range r.readTermsOf(taxonomyFile) {
		r.readScheme(n)
	}
}

func (r *reader) readTermsOf(file string) []*yaml.Node {
	data, err := fs.ReadFile(r.files, file)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.fault(file, 0, err)
		}
		return nil
	}
	n := r.parse(file, 0, string(data), yaml.SequenceNode)
	if n == nil {
		return nil
	}
	return n.Content
}

// readScheme reads one with its concepts, those above others first.
func (r *reader) readScheme(n *yaml.Node) {
	concepts := cut(n, "concepts")
	said, ok := r.readTerm(taxonomyFile, kindScheme, n)
	if !ok {
		return
	}
	r.contents.Schemes = append(r.contents.Schemes, Scheme{
		entry.ConceptScheme{ID: said.ID, PrefLabel: label(said.Name), Definition: label(said.Definition)}, Place{taxonomyFile, n.Line},
	})
	if concepts == nil || concepts.Kind != yaml.SequenceNode {
		r.fault(taxonomyFile, n.Line, errors.New("concepts: a list is needed here"))
		return
	}
	for _, element := range concepts.Content {
		r.readConcept(said.ID, element)
	}
}

func (r *reader) readConcept(scheme string, n *yaml.Node) {
	at := Place{taxonomyFile, n.Line}
	said, ok := r.readTerm(taxonomyFile, kindConcept, n)
	if !ok {
		return
	}
	for _, broader := range said.Broader {
		if _, above := r.taken[entry.Link{Kind: kindConcept, ID: broader}]; !above || broader == said.ID {
			r.fault(at.File, at.Line, fmt.Errorf("broader: no concept %s stands above this one", broader))
			return
		}
	}
	r.contents.Concepts = append(r.contents.Concepts, Concept{entry.Concept{
		ID: said.ID, Scheme: scheme, PrefLabel: label(said.Name), Definition: label(said.Definition), Broader: said.Broader, Top: len(said.Broader) == 0,
	}, at})
}

func (r *reader) readTerm(file string, kind entry.Kind, n *yaml.Node) (said term, ok bool) {
	err := strict(n, &said)
	switch {
	case err != nil:
	case said.Name == "" || len(said.Name) > mostName:
		err = fmt.Errorf("it needs a name of at most %d characters", mostName)
	default:
		return said, r.take(entry.Link{Kind: kind, ID: said.ID}, Place{file, n.Line})
	}
	r.fault(file, n.Line, err)
	return said, false
}

// mostName is how many characters name a term.
const mostName = 255

func label(text string) map[string]string {
	if text == "" {
		return nil
	}
	return map[string]string{locale: text}
}

// tag gives the draft the tags that its file names.
func (r *reader) tag(d *draft, n *yaml.Node, above int) {
	at := Place{d.File, n.Line + above}
	if err := n.Decode(&d.tags); err != nil {
		r.fault(at.File, at.Line, errors.New("tags: a list of ids is needed here"))
	}
	for _, id := range d.tags {
		r.links = append(r.links, link{at, entry.Link{Kind: kindTag, ID: id}})
	}
}

// file gives the draft the concepts of the categories in that field.
func (r *reader) file(d *draft, field string) {
	value := d.fields[field][locale]
	all, several := value.([]any)
	if !several {
		all = []any{value}
	}
	for _, one := range all {
		if category, ok := entry.LinkOf(one); ok {
			d.concepts = append(d.concepts, category.ID)
			r.links = append(r.links, link{Place{d.File, d.lines[field]}, entry.Link{Kind: kindConcept, ID: category.ID}})
		}
	}
}

// cut takes a field out of a mapping; nil where it has none.
func cut(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			value := n.Content[i+1]
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return value
		}
	}
	return nil
}
