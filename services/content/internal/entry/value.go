package entry

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// maxSafe is the largest integer that JavaScript's numbers, and so the delivery API's clients, tell from its neighbours.
const maxSafe = 1<<53 - 1

// checkValue finds a value that is not of the field's type. Null is none.
func (f Field) checkValue(locale string, value any, faults *FieldErrors) {
	if value == nil {
		return
	}
	if fault := f.misfit(value); fault != "" {
		faults.add(f.ID, locale, "type", fault)
	}
}

// misfit says why the value is not of the field's type; empty where it is.
func (f Field) misfit(value any) string {
	switch f.Type {
	case Symbol:
		return text(value, maxSymbol)
	case Text:
		return text(value, maxText)
	case Integer, Number:
		return number(value, f.Type == Integer)
	case Boolean:
		_, ok := value.(bool)
		return unless(ok, "This must be true or false.")
	case Date:
		_, ok := ParseDate(value)
		return unless(ok, "This must be a date as ISO 8601 has it, such as 2026-07-04 or 2026-07-04T09:30:00Z.")
	case Location:
		return location(value)
	case Object:
		return object(value)
	case RichText:
		return richText(value)
	case LinkType:
		return link(value, f.LinkType)
	case Array:
		return array(value, f.Items)
	}
	return "There is no such field type."
}

func unless(ok bool, fault string) string {
	if ok {
		return ""
	}
	return fault
}

func text(value any, most int) string {
	s, ok := value.(string)
	if !ok {
		return "This must be a text."
	}
	return unless(utf8.RuneCountInString(s) <= most, fmt.Sprintf("This may have %d characters at most.", most))
}

func number(value any, whole bool) string {
	n, ok := value.(float64)
	if !ok || math.IsNaN(n) || math.IsInf(n, 0) {
		return "This must be a number."
	}
	return unless(!whole || (n == math.Trunc(n) && math.Abs(n) <= maxSafe), "This must be a whole number.")
}

// dateLayouts are the forms of ISO 8601 that the delivery contract has: a day, and a moment with or without
// seconds, fractions and zone.
var dateLayouts = []string{
	time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05", "2006-01-02T15:04:05.999999999", time.RFC3339Nano,
}

// ParseDate reads a Date; one without a zone is in UTC.
func ParseDate(value any) (time.Time, bool) {
	s, ok := value.(string)
	if !ok {
		return time.Time{}, false
	}
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func location(value any) string {
	const fault = "This must be a place: lat from -90 to 90 and lon from -180 to 180."
	place, ok := value.(map[string]any)
	if !ok || len(place) != 2 {
		return fault
	}
	lat, isLat := place["lat"].(float64)
	lon, isLon := place["lon"].(float64)
	return unless(isLat && isLon && math.Abs(lat) <= 90 && math.Abs(lon) <= 180, fault)
}

// object is any JSON object or list.
func object(value any) string {
	switch value.(type) {
	case map[string]any, []any:
		return ""
	}
	return "This must be an object or a list."
}

func link(value any, kind Kind) string {
	l, ok := LinkOf(value)
	return unless(ok && l.Kind == kind, fmt.Sprintf("This must be a link to an %s.", kind))
}

func array(value any, items *Items) string {
	list, ok := value.([]any)
	if !ok || items == nil {
		return "This must be a list."
	}
	if len(list) > maxList {
		return fmt.Sprintf("This may have %d elements at most.", maxList)
	}
	element := Field{Type: items.Type, LinkType: items.LinkType}
	for _, v := range list {
		if fault := element.misfit(v); fault != "" {
			return fault
		}
	}
	return ""
}

// richText looks at the document's outer form and at its size; its nodes are the editor's library's.
func richText(value any) string {
	document, ok := value.(map[string]any)
	if !ok || document["nodeType"] != "document" {
		return "This must be a rich text document."
	}
	if _, ok := document["content"].([]any); !ok {
		return "This must be a rich text document with content."
	}
	if depth(document) > maxDepth {
		return fmt.Sprintf("Its parts may lie %d deep in each other at most.", maxDepth)
	}
	if uri := unsafeLink(document); uri != "" {
		return fmt.Sprintf("A link may lead to a page, an address for mail or a telephone number, and not to %.40q.", uri)
	}
	return unless(textLength(document) <= maxText, fmt.Sprintf("This may have %d characters at most.", maxText))
}

// maxDepth is how deep nodes of a rich text lie in each other: lists within lists within a table are some 20 deep, with the
// lists that hold nodes counted.
const maxDepth = 100

// depth is how many objects and lists lie in each other.
func depth(value any) (deepest int) {
	walk(value, 1, func(v any, depth int) bool {
		switch v.(type) {
		case map[string]any, []any:
			deepest = max(deepest, depth)
		}
		return true
	})
	return deepest
}

// linkSchemes are those of addresses that do nothing but lead somewhere; none stands for an address within the same site.
var linkSchemes = map[string]bool{"": true, "http": true, "https": true, "mailto": true, "tel": true}

// unsafeLink is the address of a link that could do something else, such as run a script; empty for none.
func unsafeLink(value any) (unsafe string) {
	walk(value, 1, func(v any, _ int) bool {
		object, _ := v.(map[string]any)
		if uri, ok := object["uri"].(string); ok {
			if at, err := url.Parse(strings.TrimSpace(uri)); err != nil || !linkSchemes[strings.ToLower(at.Scheme)] {
				unsafe = uri
			}
		}
		return unsafe == ""
	})
	return unsafe
}

// textLength sums the characters of the document's text nodes.
func textLength(value any) (length int) {
	walk(value, 1, func(v any, _ int) bool {
		object, _ := v.(map[string]any)
		text, ok := object["value"].(string)
		if ok = ok && object["nodeType"] == "text"; ok {
			length += utf8.RuneCountInString(text)
		}
		return !ok
	})
	return length
}
