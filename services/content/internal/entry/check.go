package entry

import (
	"fmt"
	"maps"
	"slices"
)

// CheckDraft finds what no draft may hold: fields and locales that do not exist, and values of another type
// than their field's. What is missing is found by CheckPublish.
func (t ContentType) CheckDraft(fields Fields, locales Locales) error {
	var faults FieldErrors
	t.checkDraft(fields, locales, &faults)
	return faults.err()
}

// CheckPublish finds everything that readers must not get: what CheckDraft finds, missing values of required
// fields and broken validations. Unique and LinkContentType need other items: see Unique and LinkRules.
func (t ContentType) CheckPublish(fields Fields, locales Locales) error {
	var faults FieldErrors
	t.checkDraft(fields, locales, &faults)
	for _, f := range t.Fields {
		if f.Required && isEmpty(fields[f.ID][locales.Default()]) {
			faults.add(f.ID, locales.Default(), "required", "A value is needed.")
		}
		for _, locale := range slices.Sorted(maps.Keys(fields[f.ID])) {
			f.validate(locale, fields[f.ID][locale], &faults)
			if t.asset && f.ID == "file" {
				checkFile(locale, fields[f.ID][locale], &faults)
			}
		}
	}
	return faults.err()
}

func (t ContentType) checkDraft(fields Fields, locales Locales, faults *FieldErrors) {
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		f, ok := t.Field(id)
		if !ok {
			faults.add(id, "", "unknown", fmt.Sprintf("The content type %s has no such field.", t.ID))
			continue
		}
		for _, locale := range slices.Sorted(maps.Keys(fields[id])) {
			switch {
			case !locales.Has(locale):
				faults.add(id, locale, "unknown", "There is no such locale.")
			case !f.Localized && locale != locales.Default():
				faults.add(id, locale, "localized", "The field has one value for all locales.")
			default:
				f.checkValue(locale, fields[id][locale], faults)
			}
		}
	}
}

// CheckTerms finds tags and concepts that cannot be ids, are too many or stand there twice.
func CheckTerms(tags, concepts []string) error {
	var faults FieldErrors
	for name, ids := range map[string][]string{"tags": tags, "concepts": concepts} {
		if len(ids) > maxTags {
			faults.add("metadata."+name, "", "size", fmt.Sprintf("At most %d are possible.", maxTags))
		}
		seen := map[string]bool{}
		for _, id := range ids {
			if !ValidID(id) || seen[id] {
				faults.add("metadata."+name, "", "in", fmt.Sprintf("%q is no id, or stands there twice.", id))
			}
			seen[id] = true
		}
	}
	return faults.err()
}

// isEmpty says whether a required field's value counts as missing. False and 0 are values.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	}
	return false
}
