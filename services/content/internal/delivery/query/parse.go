package query

import (
	"net/url"
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
)

// parser reads one query.
type parser struct {
	model Model
	q     *Query
	// params that no step has understood yet.
	params []param
	// references by field.
	references map[string]*Reference
}

// Parse reads a list query. Errors are *Error.
func Parse(of Collection, model Model, values url.Values) (*Query, error) {
	all, err := params(values)
	if err != nil {
		return nil, err
	}
	p := &parser{model: model, q: &Query{Of: of}, params: all, references: map[string]*Reference{}}
	for _, step := range []func() error{p.contentType, p.locale, p.page, p.include, p.search, p.links, p.media, p.selection, p.filters, p.order} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p.q, nil
}

// ParseLocale reads the parameters of a single item: a locale, and nothing else.
func ParseLocale(model Model, values url.Values) (*Query, error) {
	all, err := params(values)
	if err != nil {
		return nil, err
	}
	p := &parser{model: model, q: &Query{}, params: all}
	if err := p.locale(); err != nil {
		return nil, err
	}
	return p.q, p.nothingLeft()
}

// take gives the value of a parameter without an operator, and marks it as understood.
func (p *parser) take(name string) (string, bool) {
	for i, param := range p.params {
		if param.name() == name && param.op == "" {
			p.params = slices.Delete(p.params, i, i+1)
			return strings.Join(param.values, ","), true
		}
	}
	return "", false
}

func (p *parser) nothingLeft() error {
	switch {
	case len(p.params) == 0:
		return nil
	case p.params[0].name() == "select":
		return refuse(Detail{Name: "select", Details: "Select is only applicable when querying a collection of entities."})
	default:
		return unknown(p.params[0].path)
	}
}

func (p *parser) contentType() error {
	if p.q.Of != Entries {
		return nil
	}
	id, ok := p.take("content_type")
	if !ok {
		return nil
	}
	if _, known := p.model.Types[id]; !known {
		return refuse(Detail{Name: "unknownContentType", Value: id})
	}
	p.q.ContentType = id
	return nil
}

func (p *parser) locale() error {
	p.q.Locale = p.model.Locales.Default()
	if p.q.Of == Entries || p.q.Of == Assets {
		if code, ok := p.take("locale"); ok {
			p.q.Locale = code
		}
	}
	switch {
	case p.q.Locale == AllLocales:
		p.q.Locales = []string{p.model.Locales.Default()}
	case !p.model.Locales.Has(p.q.Locale):
		return bad("Unknown locale: %s", p.q.Locale)
	default:
		p.q.Locales = p.model.Locales.Chain(p.q.Locale)
	}
	return nil
}

func (p *parser) links() error {
	if p.q.Of != Entries {
		return nil
	}
	for name, kind := range map[string]entry.Kind{"links_to_entry": entry.KindEntry, "links_to_asset": entry.KindAsset} {
		if id, ok := p.take(name); ok {
			p.q.LinksTo = append(p.q.LinksTo, entry.Link{Kind: kind, ID: id})
		}
	}
	return nil
}

// filters reads what is left but the order.
func (p *parser) filters() error {
	var order []param
	for _, param := range p.params {
		if param.name() == "order" && param.op == "" {
			order = append(order, param)
			continue
		}
		if err := p.filter(param); err != nil {
			return err
		}
	}
	p.params = order
	for _, field := range sortedKeys(p.references) {
		r := p.references[field]
		if len(r.Types) == 0 {
			return needsType([]string{"fields", field, "sys", "contentType", "sys", "id"})
		}
		p.q.References = append(p.q.References, *r)
	}
	return nil
}

func (p *parser) filter(param param) error {
	op := Op(param.op)
	if !op.known() {
		return unknown(append(slices.Clone(param.path), param.op))
	}
	if param.listed && !op.takesList() {
		return bad("[%s] takes one value.", op)
	}
	if p.isReference(param.path) {
		return p.reference(param, op)
	}
	target, err := p.target(param.path, op)
	if err != nil {
		return err
	}
	f, err := newFilter(target, op, param)
	if err != nil {
		return err
	}
	if op == Near {
		p.q.Order = []Key{{Target: target, Near: f.Values}}
	}
	p.q.Filters = append(p.q.Filters, f)
	return nil
}
