package query

import (
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
)

// Column is where a target's value stands.
type Column int

// The columns. Descendants are the concepts below those that are named, and these themselves.
const (
	ColumnField Column = iota
	ColumnID
	ColumnType
	ColumnContentType
	ColumnCreatedAt
	ColumnUpdatedAt
	ColumnRevision
	ColumnVersion
	ColumnVisibility
	ColumnName
	ColumnTags
	ColumnConcepts
	ColumnDescendants
)

// Target is a value that conditions and orders speak of.
type Target struct {
	Column Column
	// Field and what is below its value: file with [details size], author with [sys id].
	Field string
	Path  []string
	// Locales in which the field's value is looked for, the first that has one wins.
	Locales []string
	Type    entry.Type
	// List says that the value is a list of what Type says.
	List bool
	// Whole says that only its existence can be asked for: a link without .sys.id, a list of tags.
	Whole bool
}

// kind names the target's type in refusals.
func (t Target) kind() string {
	if t.List {
		return "Array"
	}
	return string(t.Type)
}

// system are the properties of sys, for all collections.
var system = map[string]Target{
	"sys.id":        {Column: ColumnID, Type: entry.Symbol},
	"sys.type":      {Column: ColumnType, Type: entry.Symbol},
	"sys.createdAt": {Column: ColumnCreatedAt, Type: entry.Date},
	"sys.updatedAt": {Column: ColumnUpdatedAt, Type: entry.Date},
	// What readers have is from when it was published.
	"sys.publishedAt": {Column: ColumnUpdatedAt, Type: entry.Date},
}

// own are the paths that only some collections have.
var own = map[Collection]map[string]Target{
	Entries: {
		"sys.contentType.sys.id":        {Column: ColumnContentType, Type: entry.Symbol},
		"sys.revision":                  {Column: ColumnRevision, Type: entry.Integer},
		"sys.publishedVersion":          {Column: ColumnVersion, Type: entry.Integer},
		"metadata.tags.sys.id":          {Column: ColumnTags, Type: entry.Symbol, List: true},
		"metadata.concepts.sys.id":      {Column: ColumnConcepts, Type: entry.Symbol, List: true},
		"metadata.concepts.descendants": {Column: ColumnDescendants, Type: entry.Symbol, List: true},
	},
	Assets: {
		"sys.revision":                  {Column: ColumnRevision, Type: entry.Integer},
		"sys.publishedVersion":          {Column: ColumnVersion, Type: entry.Integer},
		"metadata.tags.sys.id":          {Column: ColumnTags, Type: entry.Symbol, List: true},
		"metadata.concepts.sys.id":      {Column: ColumnConcepts, Type: entry.Symbol, List: true},
		"metadata.concepts.descendants": {Column: ColumnDescendants, Type: entry.Symbol, List: true},
	},
	ContentTypes: {
		"sys.revision": {Column: ColumnRevision, Type: entry.Integer},
		"name":         {Column: ColumnName, Type: entry.Symbol},
	},
	Tags: {
		"sys.visibility": {Column: ColumnVisibility, Type: entry.Symbol},
		"sys.version":    {Column: ColumnVersion, Type: entry.Integer},
		"name":           {Column: ColumnName, Type: entry.Symbol},
	},
}

// target finds what a path of the query's collection means.
func (p *parser) target(path []string, op Op) (Target, error) {
	name := strings.Join(path, ".")
	if t, ok := system[name]; ok {
		return t, nil
	}
	if t, ok := own[p.q.Of][name]; ok {
		return t, nil
	}
	if items := p.q.Of == Entries || p.q.Of == Assets; items {
		switch {
		case op == Exists && name == "metadata.tags":
			return Target{Column: ColumnTags, Whole: true}, nil
		case op == Exists && name == "metadata.concepts":
			return Target{Column: ColumnConcepts, Whole: true}, nil
		case path[0] == "fields" && len(path) > 1:
			return p.field(path)
		}
	}
	return Target{}, unknown(path)
}

// field finds a field of the query's content type, or of assets.
func (p *parser) field(path []string) (Target, error) {
	if p.q.Of == Assets {
		return p.fieldOf(entry.Asset(), path)
	}
	t, ok := p.model.Types[p.q.ContentType]
	if !ok {
		return Target{}, needsType(path)
	}
	return p.fieldOf(t, path)
}

// fieldOf finds the field of a content type that a path fields.… means, and what is below it.
func (p *parser) fieldOf(t entry.ContentType, path []string) (Target, error) {
	f, ok := t.Field(path[1])
	if !ok || f.Omitted {
		return Target{}, unknownField(path, t)
	}
	target := Target{Column: ColumnField, Field: f.ID, Type: f.Type, Locales: p.chain(f)}
	rest := path[2:]
	if len(rest) > 0 && p.model.Locales.Has(rest[0]) {
		target.Locales, rest = []string{rest[0]}, rest[1:]
	}
	if f.Type == entry.Array && f.Items != nil {
		target.List, target.Type = true, f.Items.Type
	}
	below, ok := below(p.q.Of, target, rest)
	if !ok {
		return Target{}, unknown(path)
	}
	return below, nil
}

// fileParts are what of an asset's file can be asked for.
var fileParts = map[string]entry.Type{
	"url": entry.Symbol, "fileName": entry.Symbol, "contentType": entry.Symbol, "details": entry.Object, "details.size": entry.Integer,
	"details.image": entry.Object, "details.image.width": entry.Integer, "details.image.height": entry.Integer,
}

// below applies what stands behind a field's name.
func below(of Collection, t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		t.Whole = t.Type == entry.LinkType
		return t, true
	case t.Type == entry.LinkType && slices.Equal(rest, []string{"sys", "id"}):
		t.Path = rest
		return t, true
	case of == Assets && t.Field == "file":
		kind, ok := fileParts[strings.Join(rest, ".")]
		t.Path, t.Type = rest, kind
		return t, ok
	}
	return t, false
}

// chain is where a field's value is looked for. What is not localised has a value in the default locale alone.
func (p *parser) chain(f entry.Field) []string {
	if !f.Localized || p.q.Locale == AllLocales {
		return []string{p.model.Locales.Default()}
	}
	return p.q.Locales
}
