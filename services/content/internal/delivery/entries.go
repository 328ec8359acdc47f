package delivery

import (
	"context"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

func (h *Handler) entries(r *request, w *out) error { return h.collection(r, w, query.Entries) }

func (h *Handler) assets(r *request, w *out) error { return h.collection(r, w, query.Assets) }

func (h *Handler) entry(r *request, w *out) error { return h.single(r, w, entry.KindEntry) }

func (h *Handler) asset(r *request, w *out) error { return h.single(r, w, entry.KindAsset) }

// single answers one item without what it links to.
func (h *Handler) single(r *request, w *out, kind entry.Kind) error {
	q, err := query.ParseLocale(r.model.Model, r.values)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	found, err := h.Store.Linked(r.Context(), r.environment, []entry.Link{{Kind: kind, ID: id}})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return h.missing(r, string(kind), id)
	}
	h.itemWriter(r, w, q).item(found[0], nil)
	return nil
}

func (h *Handler) missing(r *request, kind, id string) error {
	return notFound(map[string]string{"type": kind, "id": id, "environment": r.environment, "space": h.Space})
}

// collection answers a page of entries or assets, and what they link to.
func (h *Handler) collection(r *request, w *out, of query.Collection) error {
	q, err := query.Parse(of, r.model.Model, r.values)
	if err != nil {
		return err
	}
	cursor, err := h.openCursor(r, q)
	if err != nil {
		return err
	}
	items, err := h.Store.Items(r.Context(), r.environment, q, cursor)
	if err != nil {
		return err
	}
	w.list()
	if q.Page.Cursor {
		items, err = h.pages(r, w, q, cursor, items)
	} else {
		err = h.totals(r.Context(), r, w, q, len(items))
	}
	if err != nil {
		return err
	}
	links := newIncludes(q, items)
	writer := h.itemWriter(r, w, q)
	writer.linked = links.add
	w.name("items")
	w.open('[')
	w.expect(items)
	for _, i := range items {
		writer.item(i, q.Select)
	}
	w.close(']')
	if of == query.Entries {
		err = h.include(r, writer, q.Include, links)
	}
	w.close('}')
	return err
}

// list answers a page of what has a name and no links: tags or content types.
func list[T any](
	h *Handler, r *request, w *out, of query.Collection, read func(ctx context.Context, environment string, q *query.Query) ([]T, error), write func(T) error,
) error {
	q, err := query.Parse(of, r.model.Model, r.values)
	if err != nil {
		return err
	}
	found, err := read(r.Context(), r.environment, q)
	if err != nil {
		return err
	}
	w.list()
	if err := h.totals(r.Context(), r, w, q, len(found)); err != nil {
		return err
	}
	w.name("items")
	w.open('[')
	for _, one := range found {
		if err := write(one); err != nil {
			return err
		}
	}
	w.close(']')
	w.close('}')
	return nil
}

// totals writes how much there is, and which part of it this is. It counts only what a short page does not tell.
func (h *Handler) totals(ctx context.Context, r *request, w *out, q *query.Query, got int) error {
	total := q.Page.Skip + got
	if got == q.Page.Limit || (got == 0 && q.Page.Skip > 0) {
		var err error
		if total, err = h.Store.Count(ctx, r.environment, q); err != nil {
			return err
		}
	}
	w.page(total, q.Page)
	return nil
}

func (w *out) page(total int, p query.Page) {
	w.name("total")
	w.number(total)
	w.name("skip")
	w.number(p.Skip)
	w.name("limit")
	w.number(p.Limit)
}
