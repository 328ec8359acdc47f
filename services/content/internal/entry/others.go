package entry

import (
	"fmt"
	"maps"
	"slices"
)

// UniqueValue is a value that no other published entry of the content type may have in that field and locale.
type UniqueValue struct {
	Field, Locale string
	Value         any
}

// Unique lists the values that must be the entry's alone.
func (t ContentType) Unique(fields Fields) (values []UniqueValue) {
	for _, f := range t.Fields {
		if !slices.ContainsFunc(f.Validations, func(v Validation) bool { return v.Unique }) {
			continue
		}
		for _, locale := range slices.Sorted(maps.Keys(fields[f.ID])) {
			if value := fields[f.ID][locale]; !isEmpty(value) {
				values = append(values, UniqueValue{f.ID, locale, value})
			}
		}
	}
	return values
}

// Taken is the fault of a value that another entry has.
func Taken(value UniqueValue) error {
	return FieldErrors{{value.Field, value.Locale, "unique", "Another entry has this value."}}
}

// CheckLinks finds links to entries of a content type that their field does not allow. types are the content types of the
// entries that exist, by id. A link to an entry that does not exist (yet) is no fault: the delivery API reports it to readers.
func (t ContentType) CheckLinks(fields Fields, types map[string]string) error {
	var faults FieldErrors
	for _, l := range t.Links(fields) {
		f, _ := t.Field(l.Field)
		is, known := types[l.ID]
		for _, v := range f.validations() {
			if l.Kind == KindEntry && known && len(v.LinkContentType) > 0 && !slices.Contains(v.LinkContentType, is) {
				faults.add(l.Field, "", "linkContentType", fmt.Sprintf("%s is a %s; the field takes %v.", l.ID, is, v.LinkContentType))
			}
		}
	}
	return faults.err()
}
