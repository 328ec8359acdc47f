package delivery

import (
	"time"

	"serein.app/services/content/internal/delivery/query"
)

// The contract has these fields and Serein does not use them. They are empty, as Contentful sends fields that no editor filled in.
const (
	conceptRest = `"uri":null,"hiddenLabels":{},"notations":[],"note":null,"changeNote":null,"editorialNote":null,` +
		`"example":null,"historyNote":null,"scopeNote":null,"related":[]`
	schemeRest = `"uri":null`
)

func (w *out) taxonomySys(kind, id string, version int, created, updated time.Time) {
	w.name("sys")
	w.open('{')
	w.name("id")
	w.text(id)
	w.name("type")
	w.text(kind)
	w.name("createdAt")
	w.moment(created)
	w.name("updatedAt")
	w.moment(updated)
	w.name("version")
	w.number(version)
	w.close('}')
}

func (w *out) labels(name string, byLocale []byte) {
	w.name(name)
	w.raw(string(byLocale))
}

func writeConcept(w *out, c query.Concept) {
	w.open('{')
	w.taxonomySys("TaxonomyConcept", c.ID, c.Version, c.CreatedAt, c.UpdatedAt)
	w.labels("prefLabel", c.PrefLabel)
	w.labels("altLabels", c.AltLabels)
	w.labels("definition", c.Definition)
	w.raw(conceptRest)
	w.name("broader")
	w.linkList("TaxonomyConcept", c.Broader)
	w.name("conceptSchemes")
	w.linkList("TaxonomyConceptScheme", []string{c.Scheme})
	w.close('}')
}

func writeScheme(w *out, s query.Scheme) {
	w.open('{')
	w.taxonomySys("TaxonomyConceptScheme", s.ID, s.Version, s.CreatedAt, s.UpdatedAt)
	w.labels("prefLabel", s.PrefLabel)
	w.labels("definition", s.Definition)
	w.raw(schemeRest)
	w.name("topConcepts")
	w.linkList("TaxonomyConcept", s.Top)
	w.name("concepts")
	w.linkList("TaxonomyConcept", s.Concepts)
	w.name("totalConcepts")
	w.number(len(s.Concepts))
	w.close('}')
}
