package query

import (
	"maps"
	"slices"

	"serein.app/services/content/internal/entry"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isReference says whether a path leads through a link: fields.author.fields.name, and the content type at its end.
func (p *parser) isReference(path []string) bool {
	return p.q.Of == Entries && path[0] == "fields" && len(path) >= 4 && (path[2] == "fields" || isLinkedType(path))
}

func isLinkedType(path []string) bool {
	return slices.Equal(path[2:], []string{"sys", "contentType", "sys", "id"})
}

// reference reads a condition on what a field points at.
func (p *parser) reference(param param, op Op) error {
	link, err := p.field(param.path[:2])
	if err != nil {
		return err
	}
	if link.Type != entry.LinkType {
		return refuse(Detail{Name: "reference", Path: param.path, Type: link.kind(), Details: "Only links to entries lead to further fields."})
	}
	r := p.references[link.Field]
	if r == nil {
		r = &Reference{Field: link.Field}
		p.references[link.Field] = r
	}
	if isLinkedType(param.path) {
		return p.linkedTypes(r, param, op)
	}
	types, err := p.typeOf(param.path[:2])
	if err != nil {
		return err
	}
	target, err := p.fieldOf(types, param.path[2:])
	if err != nil {
		return err
	}
	f, err := newFilter(target, op, param)
	r.Filters = append(r.Filters, f)
	return err
}

// linkedTypes reads fields.author.sys.contentType.sys.id, of one type or of some.
func (p *parser) linkedTypes(r *Reference, param param, op Op) error {
	if op != Eq && op != In {
		return wrongOp(Target{Type: entry.LinkType}, op, param.path)
	}
	r.Types = list(param, op)
	for _, id := range r.Types {
		if _, ok := p.model.Types[id]; !ok {
			return refuse(Detail{Name: "unknownContentType", Path: param.path, Value: id})
		}
	}
	return nil
}

// typeOf finds the one content type that conditions on a link's fields need.
func (p *parser) typeOf(link []string) (entry.ContentType, error) {
	path := append(slices.Clone(link), "sys", "contentType", "sys", "id")
	var ids []string
	for _, param := range p.params {
		if slices.Equal(param.path, path) {
			ids = append(ids, list(param, Op(param.op))...)
		}
	}
	if len(ids) != 1 {
		return entry.ContentType{}, needsType(path)
	}
	t, ok := p.model.Types[ids[0]]
	if !ok {
		return entry.ContentType{}, refuse(Detail{Name: "unknownContentType", Path: path, Value: ids[0]})
	}
	return t, nil
}
