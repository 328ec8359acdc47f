package delivery

import (
	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// contentTypes answers a page of the environment's content types.
func (h *Handler) contentTypes(r *request, w *out) error {
	return list(h, r, w, query.ContentTypes, h.Store.ContentTypes, func(t entry.ContentType) error { return h.writeType(r, w, t) })
}

func (h *Handler) contentType(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	t, ok := r.model.Types[r.PathValue("id")]
	if !ok {
		return h.missing(r, "ContentType", r.PathValue("id"))
	}
	return h.writeType(r, w, t)
}

// field is a field as readers see it. Its list of validations is sent even when it is empty.
type field struct {
	entry.Field

	Items       *items             `json:"items,omitempty"`
	Validations []entry.Validation `json:"validations"`
}

type items struct {
	entry.Items

	Validations []entry.Validation `json:"validations"`
}

func fieldOf(f entry.Field) field {
	shown := field{Field: f, Validations: append([]entry.Validation{}, f.Validations...)}
	if f.Items != nil {
		shown.Items = &items{Items: *f.Items, Validations: append([]entry.Validation{}, f.Items.Validations...)}
	}
	return shown
}

func (h *Handler) writeType(r *request, w *out, t entry.ContentType) error {
	w.open('{')
	w.name("sys")
	w.open('{')
	h.itemWriter(r, w, &query.Query{}).place(nil)
	w.name("id")
	w.text(t.ID)
	w.raw(`"type":"ContentType"`)
	w.name("createdAt")
	w.moment(t.CreatedAt)
	w.name("updatedAt")
	w.moment(t.UpdatedAt)
	w.name("revision")
	w.number(t.Version)
	w.close('}')
	w.name("displayField")
	w.text(t.DisplayField)
	w.name("name")
	w.text(t.Name)
	w.name("description")
	w.text(t.Description)
	w.name("fields")
	fields := make([]field, len(t.Fields))
	for i, f := range t.Fields {
		fields[i] = fieldOf(f)
	}
	err := w.value(fields)
	w.close('}')
	return err
}
