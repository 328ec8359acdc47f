package delivery

import (
	"cmp"
	"slices"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// includes are the links of an answer that lead out of it.
type includes struct {
	// seen are what the answer holds, and what was looked for.
	seen map[entry.Link]bool
	// next are links whose targets have not been looked for.
	next []entry.Link
	// gone are links whose targets are not published.
	gone []entry.Link
}

func newIncludes(q *query.Query, items []query.Item) *includes {
	c := &includes{seen: make(map[entry.Link]bool, len(items))}
	for _, i := range items {
		c.seen[entry.Link{Kind: i.Kind, ID: i.ID}] = true
	}
	if q.Include == 0 {
		c.seen = nil
	}
	return c
}

// add notes a link that has been written.
func (c *includes) add(l entry.Link) {
	if c.seen != nil && !c.seen[l] {
		c.seen[l] = true
		c.next = append(c.next, l)
	}
}

// include writes what the answer links to, depth links far, each once; and in errors what cannot be had.
func (h *Handler) include(r *request, w *itemWriter, depth int, c *includes) error {
	parts := map[entry.Kind]*out{entry.KindEntry: {}, entry.KindAsset: {}}
	for ; depth > 0 && len(c.next) > 0; depth-- {
		asked := c.next
		c.next = nil
		found, err := h.Store.Linked(r.Context(), r.environment, asked)
		if err != nil {
			return err
		}
		there := make(map[entry.Link]bool, len(found))
		assets := slices.IndexFunc(found, func(i query.Item) bool { return i.Kind == entry.KindEntry }) // they come first
		if assets < 0 {
			assets = len(found)
		}
		parts[entry.KindAsset].expect(found[:assets])
		parts[entry.KindEntry].expect(found[assets:])
		for _, i := range found {
			there[entry.Link{Kind: i.Kind, ID: i.ID}] = true
			part := *w
			part.out = parts[i.Kind]
			part.item(i, nil)
		}
		c.gone = append(c.gone, slices.DeleteFunc(asked, func(l entry.Link) bool { return there[l] })...)
		if len(w.b)+len(parts[entry.KindEntry].b)+len(parts[entry.KindAsset].b) > maxBody {
			return tooBig()
		}
	}
	w.included(parts)
	w.unresolvable(c.gone)
	return nil
}

func (w *itemWriter) included(parts map[entry.Kind]*out) {
	if len(parts[entry.KindEntry].b)+len(parts[entry.KindAsset].b) == 0 {
		return
	}
	w.name("includes")
	w.open('{')
	for _, kind := range []entry.Kind{entry.KindEntry, entry.KindAsset} {
		if items := parts[kind].b; len(items) > 0 {
			w.name(string(kind))
			w.open('[')
			w.b = append(w.b, items...)
			w.close(']')
		}
	}
	w.close('}')
}

// unresolvable writes the links that lead nowhere.
func (w *itemWriter) unresolvable(links []entry.Link) {
	if len(links) == 0 {
		return
	}
	slices.SortFunc(links, func(a, b entry.Link) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	w.name("errors")
	w.open('[')
	for _, l := range links {
		w.raw(`{"sys":{"id":"notResolvable","type":"error"},"details":{"type":"Link","linkType":"` + string(l.Kind) + `","id":`)
		w.text(l.ID)
		w.b = append(w.b, '}', '}')
	}
	w.close(']')
}
