package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"serein.app/gateway/internal/uid"
)

// manifestFile is the list of the app's pages, which the build makes from its routes.
const manifestFile = "pages.json"

// Access says who may open a page. Everybody else is led home.
type Access string

// The accesses a page can have.
const (
	Everyone   Access = "everyone"
	Member     Access = "member"
	Subscriber Access = "subscriber"
	Admin      Access = "admin"
)

// Page is one of the app's pages.
type Page struct {
	// Path is the pattern of its address, "/journey/:id". A trailing ":name?" may be left out.
	Path   string `json:"path"`
	Access Access `json:"access"`
	Title  string `json:"title"`
	// Entitlement that a subscriber needs; empty for every other access.
	Entitlement string `json:"entitlement"`
	// HTML is the prerendered file of this page, below the assets; empty: index.html.
	HTML string `json:"html"`
	// Description is what search engines show of a page whose answer does not describe it.
	Description string `json:"description"`
	// Secret: everybody who has its address may see it, so the address goes to no other page and into no index. Its ":token" leads there.
	Secret bool `json:"secret"`
	// Debug: it is there only where the operator has switched it on.
	Debug bool `json:"debug"`
	// Template says what HTML is filled with; nil: it stands as it is.
	Template *Template `json:"template"`
	// Variant is the document for other addresses of this page; nil for none.
	Variant *Variant `json:"variant"`
	// Answers are what a member's page begins with: they are written into it.
	Answers []Ask `json:"answers"`

	segments []segment
}

// Ask is what a page asks the services.
type Ask struct {
	// RPC of serein.web.v1.
	RPC string `json:"rpc"`
	// Request are its fields. In a template, a value that begins with a colon is that parameter of the address.
	Request map[string]string `json:"request"`
}

// Variant is the document of a page whose address has one of these parameters: what HTML holds is another page's then.
type Variant struct {
	Query []string `json:"query"`
	// HTML is the prerendered file, below the assets.
	HTML string `json:"html"`
}

// Template is a page that shows an answer of the services: that to its Ask.
type Template struct {
	Ask

	// Query are the parameters of the address that make another page of it: the app alone shows that.
	Query []string `json:"query"`
	// Filter is the one of them by which the page can be filled too, where it stands alone; nil for none.
	Filter *Filter `json:"filter"`
}

// Filter is a parameter of the address that is also a field of what is asked.
type Filter struct {
	Name string `json:"name"`
	// HTML is the prerendered file of the page that is filtered.
	HTML string `json:"html"`
}

// segment is one part of a pattern between two slashes.
type segment struct {
	text            string // of the address, or the parameter's name
	param, optional bool
}

// Manifest is what the build says about the app.
type Manifest struct {
	Pages []Page `json:"pages"`
	// NotFound is the prerendered file of the page for every other address; empty: index.html.
	NotFound string `json:"notFound"`

	fixed map[string]*Page // those whose address is a text, by it
}

func parseManifest(raw []byte, debug bool) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", manifestFile, err)
	}
	m.Pages = slices.DeleteFunc(m.Pages, func(p Page) bool { return p.Debug && !debug })
	var faults []error
	m.fixed = map[string]*Page{}
	for i := range m.Pages {
		faults = append(faults, m.Pages[i].parse())
		if p := &m.Pages[i]; !strings.Contains(p.Path, ":") && m.fixed[p.Path] == nil {
			m.fixed[p.Path] = p
		}
	}
	if home, _, ok := m.find("/"); !ok || home.Access != Everyone {
		faults = append(faults, errors.New(manifestFile+`: "/" is not a page for everyone, and visitors are led there`))
	}
	return m, errors.Join(faults...)
}

func (p *Page) parse() error {
	switch p.Access {
	case Everyone, Member, Subscriber, Admin:
	default:
		return fmt.Errorf("%s: %s: unknown access %q", manifestFile, p.Path, p.Access)
	}
	if (p.Access == Subscriber) != (p.Entitlement != "") {
		return fmt.Errorf("%s: %s: a page for subscribers names the entitlement they need, and no other page does", manifestFile, p.Path)
	}
	rest, ok := strings.CutPrefix(p.Path, "/")
	if !ok {
		return fmt.Errorf("%s: %q is not a path", manifestFile, p.Path)
	}
	if rest == "" {
		return nil
	}
	for part := range strings.SplitSeq(rest, "/") {
		s := segment{text: part}
		if s.text, s.param = strings.CutPrefix(part, ":"); s.param {
			s.text, s.optional = strings.CutSuffix(s.text, "?")
		}
		if s.text == "" || strings.ContainsAny(s.text, "*:?") || (len(p.segments) > 0 && p.segments[len(p.segments)-1].optional) {
			return fmt.Errorf("%s: %q is not a pattern of an address", manifestFile, p.Path)
		}
		p.segments = append(p.segments, s)
	}
	return nil
}

// find is the page at an address, with the id in it; empty for pages without one. An address that is not text is no page's.
func (m *Manifest) find(path string) (page *Page, id string, ok bool) {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return nil, "", false
	}
	if page, ok := m.fixed[path]; ok {
		return page, "", true
	}
	for i := range m.Pages {
		if id, ok := m.Pages[i].match(path); ok {
			return &m.Pages[i], id, true
		}
	}
	return nil, "", false
}

// params are the parts of an address that this page's pattern names.
func (p *Page) params(path string) map[string]string {
	if !strings.Contains(p.Path, ":") {
		return nil
	}
	found := map[string]string{}
	for i, part := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if i < len(p.segments) && p.segments[i].param {
			found[p.segments[i].text] = part
		}
	}
	return found
}

func (p *Page) match(path string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return "", false
	}
	var parts []string
	if rest != "" {
		parts = strings.Split(rest, "/")
	}
	if len(parts) > len(p.segments) {
		return "", false
	}
	for i, s := range p.segments {
		if i == len(parts) {
			return id, s.optional
		}
		switch part := parts[i]; {
		case !s.param:
			if part != s.text {
				return "", false
			}
		case part == "", part == ".", part == "..":
			return "", false
		case s.text == "id":
			if !uid.IsCanonical(part) {
				return "", false
			}
			id = part
		}
	}
	return id, true
}
