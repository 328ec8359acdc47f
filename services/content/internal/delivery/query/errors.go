package query

import (
	"fmt"
	"strings"

	"serein.app/services/content/internal/entry"
)

// The ids of refusals.
const (
	InvalidQuery = "InvalidQuery"
	BadRequest   = "BadRequest"
)

// invalid is the contract's sentence; clients know it.
const invalid = "The query you sent was invalid. Probably a filter or ordering specification is not applicable to the type of a field."

// typeRequired says that fields have a meaning within a content type only.
const typeRequired = "A content type is required: a query that involves fields needs the parameter content_type, with an id and not a name."

// Error is a refusal, in the contract's form.
type Error struct {
	// ID is InvalidQuery or BadRequest; both are answered 400.
	ID, Message string
	Details     []Detail
}

// Detail names what of a query is refused.
type Detail struct {
	Name string `json:"name"`
	// Path is the parameter, in its parts.
	Path    []string `json:"path,omitempty"`
	Type    string   `json:"type,omitempty"`
	Value   string   `json:"value,omitempty"`
	Details string   `json:"details,omitempty"`
}

// Error is the message, and the first detail.
func (e *Error) Error() string {
	if len(e.Details) == 0 {
		return e.ID + ": " + e.Message
	}
	return fmt.Sprintf("%s: %s %v", e.ID, e.Message, e.Details[0])
}

// bad refuses a parameter that has no meaning as it is.
func bad(format string, args ...any) *Error {
	return &Error{ID: BadRequest, Message: fmt.Sprintf(format, args...)}
}

// refuse refuses a query whose parameters have no meaning together or for this content.
func refuse(d Detail) *Error {
	return &Error{ID: InvalidQuery, Message: invalid, Details: []Detail{d}}
}

// unknown refuses a path that leads nowhere.
func unknown(path []string) *Error {
	return refuse(Detail{Name: "unknown", Path: path, Details: fmt.Sprintf("The path %q is not recognized", strings.Join(path, "."))})
}

func unknownField(path []string, t entry.ContentType) *Error {
	return refuse(Detail{Name: "unknown", Path: path, Type: t.ID, Details: fmt.Sprintf("The content type %q has no field %q.", t.ID, path[1])})
}

func needsType(path []string) *Error {
	e := refuse(Detail{Name: "contentTypeRequired", Path: path, Details: "Field paths need a content type."})
	e.Message = typeRequired
	return e
}

// wrongValue refuses a value that is not of the target's type.
func wrongValue(path []string, kind, value string) *Error {
	if len(value) > shownValue {
		value = strings.ToValidUTF8(value[:shownValue], "") + "…"
	}
	return refuse(Detail{Name: "type", Path: path, Type: kind, Value: value, Details: "The value is not of type " + kind + "."})
}

// shownValue is how much of a wrong value a refusal repeats, in bytes.
const shownValue = 100
