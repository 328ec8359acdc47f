package entry

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Type of a field's values.
type Type string

// The types of the delivery contract.
const (
	Symbol   Type = "Symbol"
	Text     Type = "Text"
	RichText Type = "RichText"
	Integer  Type = "Integer"
	Number   Type = "Number"
	Date     Type = "Date"
	Boolean  Type = "Boolean"
	Location Type = "Location"
	Object   Type = "Object"
	LinkType Type = "Link"
	Array    Type = "Array"
)

// ContentType says which fields entries of a kind have.
type ContentType struct {
	Environment, ID   string
	Name, Description string
	// DisplayField is the Symbol or Text that names an entry in lists.
	DisplayField string
	// Fields in the order in which editors and readers see them.
	Fields               []Field
	Version              int
	CreatedAt, UpdatedAt time.Time
	asset                bool // it is that of assets
}

// Field of a content type. As JSON it is what the database holds and what readers get.
type Field struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Type     Type   `json:"type"`
	LinkType Kind   `json:"linkType,omitempty"`
	Items    *Items `json:"items,omitempty"`
	// Localized fields have a value in each locale, others in the default locale alone.
	Localized bool `json:"localized"`
	Required  bool `json:"required"`
	// Disabled fields are not offered to editors, omitted ones not sent to readers.
	Disabled    bool         `json:"disabled"`
	Omitted     bool         `json:"omitted"`
	Validations []Validation `json:"validations,omitempty"`
}

// Items are the elements of an Array: Symbol or Link.
type Items struct {
	Type        Type         `json:"type"`
	LinkType    Kind         `json:"linkType,omitempty"`
	Validations []Validation `json:"validations,omitempty"`
}

// Validation is one rule; exactly one of its parts is set.
type Validation struct {
	Unique          bool     `json:"unique,omitempty"`
	Size            *Bounds  `json:"size,omitempty"`  // of texts in characters, of lists in elements
	Range           *Bounds  `json:"range,omitempty"` // of numbers
	In              []any    `json:"in,omitempty"`    // texts or numbers
	Regexp          *Pattern `json:"regexp,omitempty"`
	LinkContentType []string `json:"linkContentType,omitempty"`
	// Money: a number is an amount in minor units that can be charged. Properties are those of an Object. The delivery
	// contract knows neither, and its clients pass over rules that they do not know.
	Money      bool        `json:"money,omitempty"`
	Properties *Properties `json:"properties,omitempty"`
	// Message is said instead of our own.
	Message string `json:"message,omitempty"`
}

// Bounds are inclusive; nil is none.
type Bounds struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// Pattern is a regular expression in Go's syntax; flags are those of JavaScript that mean the same (i, m, s).
type Pattern struct {
	Pattern string `json:"pattern"`
	Flags   string `json:"flags,omitempty"`
}

// Field of that id.
func (t ContentType) Field(id string) (Field, bool) {
	for _, f := range t.Fields {
		if f.ID == id {
			return f, true
		}
	}
	return Field{}, false
}

// Title is what names an entry in lists: the beginning of its display field's text in that locale, the default one.
func (t ContentType) Title(fields Fields, locale string) string {
	title, _ := fields[t.DisplayField][locale].(string)
	if runes := []rune(title); len(runes) > maxTitle {
		return string(runes[:maxTitle])
	}
	return title
}

var fieldPattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)

// Check finds what is wrong with the content type itself.
func (t ContentType) Check() error {
	var faults FieldErrors
	if !ValidID(t.ID) || t.Name == "" {
		faults.add("", "", "name", "A content type needs an id of letters, digits, full stops, hyphens and underscores, and a name.")
	}
	if len(t.Fields) > maxFields {
		faults.add("", "", "size", fmt.Sprintf("A content type has at most %d fields.", maxFields))
	}
	seen := map[string]bool{}
	for _, f := range t.Fields {
		if seen[f.ID] {
			faults.add(f.ID, "", "unique", "Two fields have this id.")
		}
		seen[f.ID] = true
		f.check(&faults)
	}
	if shown, ok := t.Field(t.DisplayField); t.DisplayField != "" && (!ok || (shown.Type != Symbol && shown.Type != Text)) {
		faults.add(t.DisplayField, "", "displayField", "The display field must be one of the fields, a Symbol or a Text.")
	}
	return faults.err()
}

func (f Field) check(faults *FieldErrors) {
	if !fieldPattern.MatchString(f.ID) || f.Name == "" {
		faults.add(f.ID, "", "name", "A field needs an id that begins with a letter, and a name.")
	}
	switch f.Type {
	case Symbol, Text, RichText, Integer, Number, Date, Boolean, Location, Object:
	case LinkType:
		checkLinkType(f.ID, f.LinkType, faults)
	case Array:
		switch {
		case f.Items == nil || (f.Items.Type != Symbol && f.Items.Type != LinkType):
			faults.add(f.ID, "", "items", "The elements of an Array are Symbol or Link.")
		case f.Items.Type == LinkType:
			checkLinkType(f.ID, f.Items.LinkType, faults)
		}
	default:
		faults.add(f.ID, "", "type", fmt.Sprintf("There is no field type %q.", f.Type))
	}
	for _, v := range f.validations() {
		if v.Properties != nil {
			v.Properties.check(f, faults)
		}
		if v.Regexp != nil {
			if _, err := v.Regexp.compile(); err != nil {
				faults.add(f.ID, "", "regexp", "The pattern is not a regular expression: "+err.Error()+".")
			}
		}
	}
}

// validations are those of the field and of its elements.
func (f Field) validations() []Validation {
	if f.Items == nil {
		return f.Validations
	}
	return slices.Concat(f.Validations, f.Items.Validations)
}

func checkLinkType(field string, kind Kind, faults *FieldErrors) {
	if kind != KindEntry && kind != KindAsset {
		faults.add(field, "", "linkType", "A link leads to an Entry or an Asset.")
	}
}

func (p Pattern) compile() (*regexp.Regexp, error) {
	flags := ""
	for _, f := range p.Flags {
		switch f {
		case 'i', 'm', 's':
			flags += string(f)
		case 'g', 'u', 'y': // change nothing about whether a text matches
		default:
			return nil, fmt.Errorf("flag %q is not known", f)
		}
	}
	if flags == "" {
		return regexp.Compile(p.Pattern)
	}
	return regexp.Compile("(?" + flags + ")" + p.Pattern)
}
