package entry

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// validate finds what breaks the field's rules. Values of a wrong type are checkValue's to find, and pass here.
func (f Field) validate(locale string, value any, faults *FieldErrors) {
	for _, v := range f.Validations {
		v.check(f.ID, locale, value, faults)
	}
	list, ok := value.([]any)
	if !ok || f.Items == nil {
		return
	}
	for _, element := range list {
		for _, v := range f.Items.Validations {
			v.check(f.ID, locale, element, faults)
		}
	}
}

func (v Validation) check(field, locale string, value any, faults *FieldErrors) {
	name, fault := v.broken(value)
	if fault == "" {
		return
	}
	if v.Message != "" {
		fault = v.Message
	}
	faults.add(field, locale, name, fault)
}

// broken is the rule's name and how the value breaks it; an empty fault where it does not.
func (v Validation) broken(value any) (name, fault string) {
	switch {
	case v.Size != nil:
		size, ok := sizeOf(value)
		return "size", unless(!ok || v.Size.hold(size), "The length must be "+v.Size.String()+".")
	case v.Range != nil:
		n, ok := value.(float64)
		return "range", unless(!ok || v.Range.hold(n), "The number must be "+v.Range.String()+".")
	case v.In != nil:
		return "in", unless(isNested(value) || slices.Contains(v.In, value), fmt.Sprintf("It must be one of %v.", v.In))
	case v.Regexp != nil:
		s, ok := value.(string)
		pattern, err := v.Regexp.compile()
		return "regexp", unless(!ok || (err == nil && pattern.MatchString(s)), "It must match "+v.Regexp.Pattern+".")
	case v.Money:
		n, ok := value.(float64)
		return "money", unless(!ok || n >= leastCharge && n <= maxCharge && n == float64(int64(n)), chargeable)
	case v.Properties != nil:
		return "properties", unless(value == nil, v.Properties.misfit(value))
	}
	return "", ""
}

// isNested says whether the value cannot be compared: lists and objects are no elements of In.
func isNested(value any) bool {
	switch value.(type) {
	case nil, []any, map[string]any:
		return true
	}
	return false
}

func sizeOf(value any) (float64, bool) {
	switch v := value.(type) {
	case string:
		return float64(utf8.RuneCountInString(v)), true
	case []any:
		return float64(len(v)), true
	}
	return 0, false
}

func (b Bounds) hold(n float64) bool {
	return (b.Min == nil || n >= *b.Min) && (b.Max == nil || n <= *b.Max)
}

// String is for people: "at least 2", "at most 5", "from 2 to 5".
func (b Bounds) String() string {
	switch {
	case b.Min != nil && b.Max != nil:
		return fmt.Sprintf("from %g to %g", *b.Min, *b.Max)
	case b.Min != nil:
		return fmt.Sprintf("at least %g", *b.Min)
	case b.Max != nil:
		return fmt.Sprintf("at most %g", *b.Max)
	}
	return "anything"
}
