package entry

import (
	"fmt"
	"maps"
	"slices"
)

// Reference is an id that a property of an Object holds: of an entry that readers must get.
type Reference struct {
	Field, Locale string
	// At is the number of the object in its list, from 1; 0 where it is no list.
	At int
	// Property is its name for editors.
	Property string
	ID       string
	// Types are the content types that the entry may have.
	Types []string
}

// References lists the ids that properties of Objects hold, in their order. The delivery API sends them as they are: they are no links.
func (t ContentType) References(fields Fields) (found []Reference) {
	for _, f := range t.Fields {
		for _, v := range f.Validations {
			if v.Properties == nil {
				continue
			}
			for _, locale := range slices.Sorted(maps.Keys(fields[f.ID])) {
				found = append(found, v.Properties.references(Reference{Field: f.ID, Locale: locale}, fields[f.ID][locale])...)
			}
		}
	}
	return found
}

func (p Properties) references(at Reference, value any) (found []Reference) {
	objects := []any{value}
	if p.List {
		objects, _ = value.([]any)
	}
	for i, object := range objects {
		properties, _ := object.(map[string]any)
		if p.List {
			at.At = i + 1
		}
		for _, one := range p.Each {
			id, _ := properties[one.ID].(string)
			for _, v := range one.Validations {
				if at.ID, at.Property, at.Types = id, one.Name, v.LinkContentType; id != "" && len(at.Types) > 0 {
					found = append(found, at)
				}
			}
		}
	}
	return found
}

// CheckReferences finds ids that lead to nothing which readers get, or to something of another type. types are the content types of
// the entries that readers get, by id.
func CheckReferences(references []Reference, types map[string]string) error {
	var faults FieldErrors
	for _, r := range references {
		is, published := types[r.ID]
		if published && slices.Contains(r.Types, is) {
			continue
		}
		fault := fmt.Sprintf("%s: %s is not published, or is none of %v.", r.Property, r.ID, r.Types)
		if r.At > 0 {
			fault = fmt.Sprintf("Number %d: %s", r.At, fault)
		}
		faults.add(r.Field, r.Locale, "linkContentType", fault)
	}
	return faults.err()
}
