package query

import (
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
)

const maxKeys = 10 // of an order

// order reads the order, which ends with the id in any case. Without one the newest comes first, or what is nearest.
func (p *parser) order() error {
	text, ok := p.take("order")
	if !ok && p.q.Order == nil {
		p.q.Order = []Key{p.usual()}
	}
	if ok {
		if err := p.keys(strings.Split(text, ",")); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(p.q.Order, func(k Key) bool { return k.Target.Column == ColumnID }) {
		p.q.Order = append(p.q.Order, Key{Target: system["sys.id"]})
	}
	return p.nothingLeft()
}

// usual is the newest item first; content types and tags stand by their names.
func (p *parser) usual() Key {
	if p.q.Of == ContentTypes || p.q.Of == Tags {
		return Key{Target: own[p.q.Of]["name"]}
	}
	return Key{Target: system["sys.updatedAt"], Desc: true}
}

func (p *parser) keys(names []string) error {
	if len(names) > maxKeys {
		return bad("An order has %d keys at most.", maxKeys)
	}
	p.q.Order = nil
	for _, name := range names {
		name, desc := strings.CutPrefix(strings.TrimSpace(name), "-")
		path := strings.Split(name, ".")
		target, err := p.target(path, Eq)
		if err != nil {
			return err
		}
		if !target.sortable() {
			return cannotOrder(path, target)
		}
		p.q.Order = append(p.q.Order, Key{Target: target, Desc: desc})
	}
	return nil
}

// sortable says whether items can be ordered by the target.
func (t Target) sortable() bool {
	if t.List || t.Whole {
		return false
	}
	switch t.Type {
	case entry.Symbol, entry.Integer, entry.Number, entry.Date, entry.Boolean, entry.Location, entry.LinkType:
		return true
	default:
		return false
	}
}

func cannotOrder(path []string, t Target) *Error {
	kind, hint := t.kind(), ""
	if t.Whole {
		kind = string(entry.LinkType)
	}
	if kind == string(entry.Text) {
		hint = ". Consider using a Symbol field instead"
	}
	return refuse(Detail{Name: "order", Path: path, Type: kind, Details: kind + " fields do not support ordering" + hint})
}
