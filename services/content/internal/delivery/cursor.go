package delivery

import (
	"encoding/base64"
	"net/url"
	"slices"

	"serein.app/services/content/internal/delivery/query"
)

// cursorName binds a page's token to its query: with another order or filter it has no meaning.
func cursorName(r *request) string {
	values := url.Values{}
	for name, given := range r.values {
		if !slices.Contains([]string{"limit", "pageNext", "pagePrev"}, name) {
			values[name] = given
		}
	}
	return "cursor " + r.environment + " " + r.URL.Path + "?" + values.Encode()
}

// openCursor reads the token of a page; nil where the first page is asked for.
func (h *Handler) openCursor(r *request, q *query.Query) (*query.Position, error) {
	token, back := q.Page.Next, false
	if q.Page.Prev != "" {
		token, back = q.Page.Prev, true
	}
	if token == "" {
		return nil, nil //nolint:nilnil // no token is no position, and no fault
	}
	at := &query.Position{Back: back}
	if err := h.unseal(cursorName(r), token, &at.Keys); err != nil {
		return nil, badRequest("The page token is not one of this query.")
	}
	return at, nil
}

// pages writes the links to the pages beside this one, and gives the page's own items.
func (h *Handler) pages(r *request, w *out, q *query.Query, at *query.Position, items []query.Item) ([]query.Item, error) {
	back := at != nil && at.Back
	more := len(items) > q.Page.Limit
	switch {
	case more && back:
		items = items[len(items)-q.Page.Limit:]
	case more:
		items = items[:q.Page.Limit]
	}
	w.name("limit")
	w.number(q.Page.Limit)
	w.name("pages")
	w.open('{')
	if len(items) > 0 && (more || back) {
		if err := h.pageLink(r, w, "next", "pageNext", items[len(items)-1]); err != nil {
			return nil, err
		}
	}
	if len(items) > 0 && (at != nil && (!back || more)) {
		if err := h.pageLink(r, w, "prev", "pagePrev", items[0]); err != nil {
			return nil, err
		}
	}
	w.close('}')
	return items, nil
}

func (h *Handler) pageLink(r *request, w *out, name, parameter string, edge query.Item) error {
	token, err := h.sealed(cursorName(r), edge.Position)
	if err != nil {
		return err
	}
	values := url.Values{}
	for name, given := range r.values {
		values[name] = given
	}
	values.Del("pageNext")
	values.Del("pagePrev")
	values.Set(parameter, token)
	w.name(name)
	w.text(h.URL + r.URL.Path + "?" + values.Encode())
	return nil
}

// sealed makes a token that can stand in an address as it is.
func (h *Handler) sealed(name string, v any) (string, error) {
	raw, err := h.Sealer.Seal(name, v)
	return base64.RawURLEncoding.EncodeToString(raw), err
}

func (h *Handler) unseal(name, token string, v any) error {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return err
	}
	return h.Sealer.Open(name, raw, v)
}
