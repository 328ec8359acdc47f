package entry

import "strings"

// Fault is one thing that is wrong with an item or a content type.
type Fault struct {
	// Field and Locale say where; empty for the whole.
	Field, Locale string
	// Name is the rule that it breaks, for programs: "type", "required", "unknown", "size" …
	Name string
	// Details is a sentence for people.
	Details string
}

// FieldErrors are everything that was found, as one error.
type FieldErrors []Fault

func (f *FieldErrors) add(field, locale, name, details string) {
	*f = append(*f, Fault{field, locale, name, details})
}

// err is nil where nothing was found.
func (f FieldErrors) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Error says all of them.
func (f FieldErrors) Error() string {
	said := make([]string, len(f))
	for i, fault := range f {
		where := fault.Field
		if fault.Locale != "" {
			where += " (" + fault.Locale + ")"
		}
		if where != "" {
			where += ": "
		}
		said[i] = where + fault.Details
	}
	return strings.Join(said, " ")
}
