package delivery

import (
	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// maxLocales is the limit that the list of locales reports; there is one page of them.
const maxLocales = 1000

// locales answers all of the environment's locales.
func (h *Handler) locales(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	w.list()
	w.page(len(r.model.Locales), query.Page{Limit: maxLocales})
	w.name("items")
	w.open('[')
	for _, l := range r.model.Locales {
		w.open('{')
		w.locale(l)
		w.name("sys")
		w.open('{')
		w.name("id")
		w.text(l.Code)
		w.raw(`"type":"Locale"`)
		w.name("version")
		w.number(l.Version)
		w.close('}')
		w.close('}')
	}
	w.close(']')
	w.close('}')
	return nil
}

// locale writes what a locale is.
func (w *out) locale(l entry.Locale) {
	w.name("code")
	w.text(l.Code)
	w.name("name")
	w.text(l.Name)
	w.name("default")
	w.bool(l.Default)
	w.name("fallbackCode")
	if l.Fallback == "" {
		w.raw("null")
	} else {
		w.text(l.Fallback)
	}
}

func (w *out) bool(is bool) {
	if is {
		w.raw("true")
	} else {
		w.raw("false")
	}
}

// space answers the space and the locales of its environment master.
func (h *Handler) space(r *request, w *out) error {
	if _, err := query.ParseLocale(r.model.Model, r.values); err != nil {
		return err
	}
	w.open('{')
	w.name("sys")
	w.open('{')
	w.raw(`"type":"Space"`)
	w.name("id")
	w.text(h.Space)
	w.close('}')
	w.name("name")
	w.text(h.SpaceName)
	w.name("locales")
	w.open('[')
	for _, l := range r.model.Locales {
		w.open('{')
		w.locale(l)
		w.close('}')
	}
	w.close(']')
	w.close('}')
	return nil
}
