package reading

import (
	"slices"
	"strings"

	"serein.app/services/content/internal/entry"
)

// Page is an entry of another content type, as readers get it.
type Page struct {
	ID string

	fields fields
}

// PageOf reads what was published.
func PageOf(p entry.Published, locale string) Page { return Page{p.ID, fields{p.Fields, locale}} }

// InOrder sorts pages by the place that their editors gave them, and gives them.
func InOrder(pages []Page) []Page {
	slices.SortStableFunc(pages, func(a, b Page) int { return a.Number("order") - b.Number("order") })
	return pages
}

// Value is the published value of a field, or nil without a value.
func (p Page) Value(field string) any { return p.fields.value(field) }

// Texts are the texts of a list field. It skips elements that are no texts.
func (p Page) Texts(field string) (texts []string) {
	list, _ := p.fields.value(field).([]any)
	for _, element := range list {
		if s, ok := element.(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// Text is the text of a field, empty without a value.
func (p Page) Text(field string) string { return p.fields.text(field) }

// Is says whether a field is true.
func (p Page) Is(field string) bool { return p.fields.is(field) }

// Number is the number in a field, or 0 without a value.
func (p Page) Number(field string) int { return p.fields.number(field) }

// Link is the id of what a field points at; empty for nothing.
func (p Page) Link(field string) string { return p.fields.link(field) }

// Objects are the elements of a field that is a list of them.
func (p Page) Objects(field string) (objects []map[string]any) {
	list, _ := p.fields.value(field).([]any)
	for _, element := range list {
		if o, ok := element.(map[string]any); ok {
			objects = append(objects, o)
		}
	}
	return objects
}

// Picture of an item.
type Picture struct {
	// Path below the gateway's media route.
	Path, Alt     string
	Width, Height int // in pixels; 0 where they are not known
}

// SoundOf is where an asset lies that is a sound, below the gateway's media route; ok is false where it is none of the
// house's.
func SoundOf(f entry.Fields, locale string) (path string, ok bool) {
	_, path, ok = fileOf(fields{f, locale}, "audio/")
	return path, ok
}

// fileOf is the file of an asset, and its path here. ok is false when the file is of another media kind, or when content does not
// store it, as with an upstream's file.
func fileOf(at fields, kind string) (file map[string]any, path string, ok bool) {
	file, _ = at.value("file").(map[string]any)
	url, _ := file["url"].(string)
	media, _ := file["contentType"].(string)
	hash, name, kept := entry.AssetOf(url)
	return file, "assets/" + hash + "/" + name, kept && strings.HasPrefix(media, kind)
}

// PictureOf is an asset as a picture; ok is false when the asset is no picture that content stores.
func PictureOf(f entry.Fields, locale string) (p Picture, ok bool) {
	at := fields{f, locale}
	file, path, ok := fileOf(at, "image/")
	if !ok {
		return p, false
	}
	details, _ := file["details"].(map[string]any)
	image, _ := details["image"].(map[string]any)
	width, _ := image["width"].(float64)
	height, _ := image["height"].(float64)
	if p.Alt = at.text("description"); p.Alt == "" {
		p.Alt = at.text("title")
	}
	p.Path, p.Width, p.Height = path, int(width), int(height)
	return p, true
}
