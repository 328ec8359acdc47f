package delivery

import (
	"net/url"

	"serein.app/services/content/internal/delivery/query"
)

// tags answers a page of the environment's tags.
func (h *Handler) tags(r *request, w *out) error {
	return list(h, r, w, query.Tags, h.Store.Tags, func(t query.Tag) error {
		h.writeTag(r, w, t)
		return nil
	})
}

func (h *Handler) tag(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	id := r.PathValue("id")
	q, err := query.Parse(query.Tags, r.model.Model, url.Values{"sys.id": {id}})
	if err != nil {
		return err
	}
	tags, err := h.Store.Tags(r.Context(), r.environment, q)
	if err != nil {
		return err
	}
	if len(tags) == 0 {
		return h.missing(r, "Tag", id)
	}
	h.writeTag(r, w, tags[0])
	return nil
}

func (h *Handler) writeTag(r *request, w *out, t query.Tag) {
	w.open('{')
	w.name("sys")
	w.open('{')
	h.itemWriter(r, w, &query.Query{}).place(nil)
	w.name("id")
	w.text(t.ID)
	w.raw(`"type":"Tag","visibility":"public"`)
	w.name("version")
	w.number(t.Version)
	w.name("createdAt")
	w.moment(t.CreatedAt)
	w.name("updatedAt")
	w.moment(t.UpdatedAt)
	w.close('}')
	w.name("name")
	w.text(t.Name)
	w.close('}')
}
