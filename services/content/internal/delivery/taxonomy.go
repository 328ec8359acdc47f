package delivery

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"serein.app/services/content/internal/delivery/query"
)

// maxDepth is how many steps ancestors and descendants are followed at most.
const maxDepth = 100

// taxonomyOrders are what concepts and schemes can be ordered by.
var taxonomyOrders = map[string]string{"sys.createdAt": "createdAt", "sys.updatedAt": "updatedAt", "sys.id": "id", "prefLabel": "prefLabel"}

// taxonomyQuery reads the parameters of a list; own are those that only this list has.
func (h *Handler) taxonomyQuery(r *request, own ...string) (t query.Taxonomy, err error) {
	t = query.Taxonomy{Locale: r.model.Locales.Default(), Limit: 100, Depth: maxDepth}
	for _, name := range slices.Sorted(maps.Keys(r.values)) {
		value := r.values.Get(name)
		switch {
		case value == "":
		case name == "limit":
			t.Limit, err = within(name, value, 1, 1000)
		case name == "order":
			order, desc := strings.CutPrefix(value, "-")
			if t.Order, t.Desc = taxonomyOrders[order], desc; t.Order == "" {
				err = badRequest("Concepts and schemes are ordered by sys.createdAt, sys.updatedAt, sys.id or prefLabel.")
			}
		case slices.Contains([]string{"pageNext", "pagePrev", "nextPage", "prevPage"}, name):
			if h.unseal(taxonomyName(r), value, &t.Offset) != nil {
				err = badRequest("The page token is not one of this query.")
			}
		case name == "conceptScheme" && slices.Contains(own, name):
			t.Scheme = value
		case name == "depth" && slices.Contains(own, name):
			t.Depth, err = within(name, value, 1, maxDepth)
		default:
			err = &query.Error{ID: query.InvalidQuery, Message: "The query you sent was invalid.", Details: []query.Detail{
				{Name: "unknown", Path: strings.Split(name, "."), Details: "The path " + strconv.Quote(name) + " is not recognized"},
			}}
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

func within(name, value string, least, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return 0, badRequest(name + " is a whole number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + ".")
	}
	return n, nil
}

// taxonomyName binds a page's token to its list and order.
func taxonomyName(r *request) string {
	return "taxonomy " + r.URL.Path + " " + r.values.Get("order") + " " + r.values.Get("conceptScheme") + " " + r.values.Get("depth")
}

// taxonomyList writes a page: what is beyond the limit tells that there is another.
func taxonomyList[T any](h *Handler, r *request, w *out, t query.Taxonomy, found []T, one func(*out, T)) error {
	more := len(found) > t.Limit
	found = found[:min(len(found), t.Limit)]
	w.list()
	w.name("limit")
	w.number(t.Limit)
	w.name("items")
	w.open('[')
	for _, item := range found {
		one(w, item)
	}
	w.close(']')
	w.name("pages")
	w.open('{')
	if more {
		if err := h.taxonomyPage(r, w, "next", "pageNext", t.Offset+t.Limit); err != nil {
			return err
		}
	}
	if t.Offset > 0 {
		if err := h.taxonomyPage(r, w, "prev", "pagePrev", max(0, t.Offset-t.Limit)); err != nil {
			return err
		}
	}
	w.close('}')
	w.close('}')
	return nil
}

func (h *Handler) taxonomyPage(r *request, w *out, name, parameter string, skip int) error {
	token, err := h.sealed(taxonomyName(r), skip)
	values := url.Values{parameter: {token}}
	for _, kept := range []string{"limit", "order", "conceptScheme", "depth"} {
		if r.values.Has(kept) {
			values.Set(kept, r.values.Get(kept))
		}
	}
	w.name(name)
	w.text(h.URL + r.URL.Path + "?" + values.Encode())
	return err
}

func (h *Handler) concepts(r *request, w *out) error {
	t, err := h.taxonomyQuery(r, "conceptScheme")
	if err != nil {
		return err
	}
	return h.conceptList(r, w, t)
}

func (h *Handler) conceptList(r *request, w *out, t query.Taxonomy) error {
	found, err := h.Store.Concepts(r.Context(), t)
	if err != nil {
		return err
	}
	return taxonomyList(h, r, w, t, found, writeConcept)
}

func (h *Handler) ancestors(r *request, w *out) error {
	return h.relatives(r, w, func(t *query.Taxonomy) { t.Ancestors = true })
}

func (h *Handler) descendants(r *request, w *out) error {
	return h.relatives(r, w, func(t *query.Taxonomy) { t.Descendants = true })
}

// relatives answers the concepts above or below one that there must be.
func (h *Handler) relatives(r *request, w *out, which func(*query.Taxonomy)) error {
	t, err := h.taxonomyQuery(r, "depth")
	if err != nil {
		return err
	}
	if _, err := h.oneConcept(r); err != nil {
		return err
	}
	t.ID = r.PathValue("id")
	which(&t)
	return h.conceptList(r, w, t)
}

func (h *Handler) oneConcept(r *request) (c query.Concept, err error) {
	found, err := h.Store.Concepts(r.Context(), query.Taxonomy{ID: r.PathValue("id"), Limit: 1})
	if err == nil && len(found) == 0 {
		err = h.missing(r, "TaxonomyConcept", r.PathValue("id"))
	}
	if err != nil {
		return c, err
	}
	return found[0], nil
}

func (h *Handler) concept(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	c, err := h.oneConcept(r)
	if err == nil {
		writeConcept(w, c)
	}
	return err
}

func (h *Handler) schemes(r *request, w *out) error {
	t, err := h.taxonomyQuery(r)
	if err != nil {
		return err
	}
	found, err := h.Store.Schemes(r.Context(), t)
	if err != nil {
		return err
	}
	return taxonomyList(h, r, w, t, found, writeScheme)
}

func (h *Handler) scheme(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	found, err := h.Store.Schemes(r.Context(), query.Taxonomy{ID: r.PathValue("id"), Limit: 1})
	if err == nil && len(found) == 0 {
		err = h.missing(r, "TaxonomyConceptScheme", r.PathValue("id"))
	}
	if err == nil {
		writeScheme(w, found[0])
	}
	return err
}
