package entry

import (
	"cmp"
	"maps"
	"slices"
)

// Link is a field's value that names another item.
type Link struct {
	Kind Kind
	ID   string
}

// Value is the link as fields hold it.
func (l Link) Value() map[string]any {
	return map[string]any{"sys": map[string]any{"type": "Link", "linkType": string(l.Kind), "id": l.ID}}
}

// LinkOf reads a field's value as a link.
func LinkOf(value any) (Link, bool) {
	object, ok := value.(map[string]any)
	if !ok || len(object) != 1 {
		return Link{}, false
	}
	sys, ok := object["sys"].(map[string]any)
	if !ok || sys["type"] != "Link" {
		return Link{}, false
	}
	kind, _ := sys["linkType"].(string)
	id, _ := sys["id"].(string)
	l := Link{Kind(kind), id}
	return l, ValidID(id) && (l.Kind == KindEntry || l.Kind == KindAsset)
}

// FieldLink is where an entry points: the field, and at what.
type FieldLink struct {
	Field string
	Link
}

// Links lists the links of the fields in all locales, each once a field, in a fixed order. Links inside RichText count; links
// inside an Object do not.
func (t ContentType) Links(fields Fields) []FieldLink {
	found := map[FieldLink]bool{}
	for _, f := range t.Fields {
		switch f.Type {
		case LinkType, Array, RichText:
			for _, value := range fields[f.ID] {
				walkLinks(value, func(l Link) { found[FieldLink{f.ID, l}] = true })
			}
		default:
		}
	}
	return slices.SortedFunc(maps.Keys(found), compareLinks)
}

// walkLinks finds links however deep they lie.
func walkLinks(value any, found func(Link)) {
	walk(value, 1, func(v any, _ int) bool {
		l, ok := LinkOf(v)
		if ok {
			found(l)
		}
		return !ok
	})
}

func compareLinks(a, b FieldLink) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}
