package query

import (
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
)

const maxSelected = 100

// sysKeys are the properties of sys that can be selected.
var sysKeys = []string{
	"id", "type", "space", "environment", "contentType", "createdAt", "updatedAt", "revision", "publishedVersion", "locale",
}

// selection reads what of each item is answered.
func (p *parser) selection() error {
	if p.q.Of != Entries && p.q.Of != Assets {
		return nil
	}
	text, ok := p.take("select")
	if !ok {
		return nil
	}
	names := strings.Split(text, ",")
	if len(names) > maxSelected {
		return bad("At most %d properties can be selected.", maxSelected)
	}
	s := &Selection{}
	for _, name := range names {
		if err := p.selected(s, strings.Split(strings.TrimSpace(name), ".")); err != nil {
			return err
		}
	}
	p.q.Select = s
	return nil
}

func (p *parser) selected(s *Selection, path []string) error {
	if len(path) > 2 {
		return refuse(Detail{Name: "select", Path: path, Details: "Properties can be selected two levels deep."})
	}
	switch path[0] {
	case "sys":
		return selectPart(&s.Sys, &s.SysKeys, path, slices.Contains(sysKeys, path[len(path)-1]))
	case "metadata":
		return selectPart(&s.Metadata, &s.MetadataParts, path, slices.Contains([]string{"tags", "concepts"}, path[len(path)-1]))
	case "fields":
		if len(path) == 2 {
			if err := p.selectable(path); err != nil {
				return err
			}
		}
		return selectPart(&s.Fields, &s.FieldKeys, path, true)
	}
	return unknown(path)
}

// selectPart adds a property to a part, or all of it.
func selectPart(part *bool, keys *map[string]bool, path []string, known bool) error {
	switch {
	case len(path) == 1:
		*part, *keys = true, nil
	case !known:
		return unknown(path)
	case *part && *keys == nil: // all of it is selected already
	default:
		if *keys == nil {
			*keys = map[string]bool{}
		}
		*part, (*keys)[path[1]] = true, true
	}
	return nil
}

func (p *parser) selectable(path []string) error {
	t := entry.Asset()
	if p.q.Of == Entries {
		var ok bool
		if t, ok = p.model.Types[p.q.ContentType]; !ok {
			return needsType(path)
		}
	}
	if _, ok := t.Field(path[1]); !ok {
		return unknownField(path, t)
	}
	return nil
}
