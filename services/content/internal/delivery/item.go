package delivery

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/content/internal/entry"
)

// itemWriter writes entries and assets of one answer.
type itemWriter struct {
	*out
	model              *model
	space, environment string
	// mediaHost serves the files that content stores: host and port.
	mediaHost string
	// locale of the values, query.AllLocales for maps by locale; chain is where values of localised fields are looked for.
	locale string
	chain  []string
	// linked is called with every link that the writer writes.
	linked func(entry.Link)
}

func (h *Handler) itemWriter(r *request, w *out, q *query.Query) *itemWriter {
	return &itemWriter{
		out: w, model: r.model, space: h.Space, environment: r.environment, mediaHost: h.MediaHost, locale: q.Locale, chain: q.Locales, linked: func(entry.Link) {},
	}
}

// aroundFields is how much an item has beside its fields, in bytes, more or less.
const aroundFields = 1 << 10

// expect makes room for items at once, so that what is written already is not copied again and again.
func (w *out) expect(items []query.Item) {
	size := 0
	for _, i := range items {
		size += len(i.Fields) + aroundFields
	}
	w.b = slices.Grow(w.b, size)
}

// item writes an entry or asset, or what is selected of it.
func (w *itemWriter) item(i query.Item, selected *query.Selection) {
	w.open('{')
	if selected == nil || selected.Metadata {
		w.metadata(i, selected)
	}
	if selected == nil || selected.Sys {
		w.sys(i, selected)
	}
	if selected == nil || selected.Fields {
		w.fields(i, selected)
	}
	w.close('}')
}

func (w *itemWriter) metadata(i query.Item, selected *query.Selection) {
	w.name("metadata")
	w.open('{')
	if selected.HasMetadata("tags") {
		w.name("tags")
		w.linkList("Tag", i.Tags)
	}
	if selected.HasMetadata("concepts") {
		w.name("concepts")
		w.linkList("TaxonomyConcept", i.Concepts)
	}
	w.close('}')
}

// linkList writes a list of links of one kind.
func (w *out) linkList(kind string, ids []string) {
	w.open('[')
	for _, id := range ids {
		w.link(kind, id)
	}
	w.close(']')
}

func (w *itemWriter) sys(i query.Item, selected *query.Selection) {
	w.name("sys")
	w.open('{')
	w.place(selected)
	for _, property := range []struct {
		name  string
		write func()
	}{
		{"id", func() { w.text(i.ID) }},
		{"type", func() { w.text(string(i.Kind)) }},
		{"createdAt", func() { w.moment(i.CreatedAt) }},
		{"updatedAt", func() { w.moment(i.UpdatedAt) }},
		{"publishedVersion", func() { w.number(i.Version) }},
		{"revision", func() { w.number(i.Revision) }},
	} {
		if selected.HasSys(property.name) {
			w.name(property.name)
			property.write()
		}
	}
	if i.Kind == entry.KindEntry && selected.HasSys("contentType") {
		w.name("contentType")
		w.link("ContentType", i.ContentType)
	}
	if w.locale != query.AllLocales && selected.HasSys("locale") {
		w.name("locale")
		w.text(w.locale)
	}
	w.close('}')
}

// place writes where an item is at home.
func (w *itemWriter) place(selected *query.Selection) {
	if selected.HasSys("space") {
		w.name("space")
		w.link("Space", w.space)
	}
	if selected.HasSys("environment") {
		w.name("environment")
		w.link("Environment", w.environment)
	}
}

// fields writes the fields that have a value. It skips fields that the content type has lost or omits.
func (w *itemWriter) fields(i query.Item, selected *query.Selection) {
	uses := w.model.uses[i.ContentType]
	w.name("fields")
	w.open('{')
	gjson.ParseBytes(i.Fields).ForEach(func(name, locales gjson.Result) bool {
		use, known := uses[name.Str]
		if !known || use.omitted || !selected.HasField(name.Str) {
			return true
		}
		if w.locale == query.AllLocales {
			w.byLocale(name.Str, locales, use)
		} else if value := w.inLocale(locales, use); value.Exists() {
			w.name(name.Str)
			w.fieldValue(value, use)
		}
		return true
	})
	w.close('}')
}

// inLocale finds the value of a field in the first locale of its chain that has one.
func (w *itemWriter) inLocale(locales gjson.Result, use use) (found gjson.Result) {
	chain := w.chain
	if !use.localized {
		chain = []string{w.model.Locales.Default()}
	}
	best := len(chain)
	locales.ForEach(func(code, value gjson.Result) bool {
		if at := slices.Index(chain, code.Str); at >= 0 && at < best && value.Type != gjson.Null {
			best, found = at, value
		}
		return true
	})
	return found
}

// byLocale writes all values of a field that has any.
func (w *itemWriter) byLocale(name string, locales gjson.Result, use use) {
	begun := false
	locales.ForEach(func(code, value gjson.Result) bool {
		if value.Type == gjson.Null {
			return true
		}
		if !begun {
			w.name(name)
			w.open('{')
			begun = true
		}
		w.name(code.Str)
		w.fieldValue(value, use)
		return true
	})
	if begun {
		w.close('}')
	}
}

func (w *itemWriter) fieldValue(value gjson.Result, use use) {
	w.raw(entry.OnHost(w.mediaHost, value.Raw))
	if use.links && strings.Contains(value.Raw, `"linkType"`) {
		eachLink(value, w.linked)
	}
}

// eachLink finds the links to entries and assets in a value, however deep they lie.
func eachLink(value gjson.Result, found func(entry.Link)) {
	if sys := value.Get("sys"); value.IsObject() && sys.Get("type").Str == "Link" {
		if l := (entry.Link{Kind: entry.Kind(sys.Get("linkType").Str), ID: sys.Get("id").Str}); l.Kind == entry.KindEntry || l.Kind == entry.KindAsset {
			found(l)
		}
		return
	}
	if value.IsObject() || value.IsArray() {
		value.ForEach(func(_, inner gjson.Result) bool {
			eachLink(inner, found)
			return true
		})
	}
}
