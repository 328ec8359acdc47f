package entry

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What a payment provider charges at least and at most, in pence (docs.stripe.com/currencies, minimum and maximum charge
// amounts).
const leastCharge, maxCharge = 30, 99_999_999

const chargeable = "The amount must be a whole number of pence, from 30 (£0.30) to 99999999 (£999,999.99)."

// Properties says what the objects of a field of type Object hold. A property that is not among them is refused: a misspelt
// one would be missed by its readers.
type Properties struct {
	// List: the value is a list of such objects.
	List bool       `json:"list,omitempty"`
	Each []Property `json:"each"`
	// AnyOf are properties of which each object has one at least; empty for no such rule.
	AnyOf []string `json:"anyOf,omitempty"`
}

// Property is one of an object's: its key, its name for editors, its type (Symbol, Text, Integer, Number or Boolean) and its
// rules. In a list, Unique says that no two objects have the same value. LinkContentType says that a Symbol is the id of an entry of one
// of these types, which readers get when the object is published; see References.
type Property struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Type        Type         `json:"type"`
	Required    bool         `json:"required,omitempty"`
	Validations []Validation `json:"validations,omitempty"`
}

// misfit says what the value has otherwise than its properties are described; empty where nothing differs.
func (p Properties) misfit(value any) string {
	if !p.List {
		return p.object(value)
	}
	list, ok := value.([]any)
	if !ok {
		return "It must be a list."
	}
	for i, element := range list {
		if fault := p.object(element); fault != "" {
			return fmt.Sprintf("Number %d: %s", i+1, fault)
		}
	}
	return p.repeated(list)
}

// repeated says which value stands in a list twice that must not; empty for none.
func (p Properties) repeated(list []any) string {
	for _, one := range p.Each {
		if !slices.ContainsFunc(one.Validations, func(v Validation) bool { return v.Unique }) {
			continue
		}
		at := map[any]int{}
		for i, element := range list {
			value := element.(map[string]any)[one.ID]
			if before, twice := at[value]; twice && !isEmpty(value) {
				return fmt.Sprintf("Number %d: %s: Number %d has the same value.", i+1, one.Name, before+1)
			}
			at[value] = i
		}
	}
	return ""
}

func (p Properties) object(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		return "It must be an object with the properties " + p.ids() + "."
	}
	for _, id := range slices.Sorted(maps.Keys(object)) {
		if !slices.ContainsFunc(p.Each, func(one Property) bool { return one.ID == id }) {
			return fmt.Sprintf("There is no property %q; there are %s.", id, p.ids())
		}
	}
	for _, one := range p.Each {
		if fault := one.misfit(object[one.ID]); fault != "" {
			return one.Name + ": " + fault
		}
	}
	if len(p.AnyOf) > 0 && !slices.ContainsFunc(p.AnyOf, func(id string) bool { return !isBlank(object[id]) }) {
		return "It needs one of " + strings.Join(p.AnyOf, ", ") + " at least."
	}
	return ""
}

func (p Properties) ids() string {
	ids := make([]string, len(p.Each))
	for i, one := range p.Each {
		ids[i] = one.ID
	}
	return strings.Join(ids, ", ")
}

func (p Property) misfit(value any) string {
	if isBlank(value) {
		return unless(!p.Required, "A value is needed.")
	}
	var faults FieldErrors
	f := Field{ID: p.ID, Type: p.Type, Validations: p.Validations}
	f.checkValue("", value, &faults)
	f.validate("", value, &faults)
	if len(faults) == 0 {
		return ""
	}
	return faults[0].Details
}

// isBlank says whether a property's value counts as missing.
func isBlank(value any) bool {
	text, ok := value.(string)
	return isEmpty(value) || ok && strings.TrimSpace(text) == ""
}

// check finds a description that cannot work.
func (p Properties) check(of Field, faults *FieldErrors) {
	if of.Type != Object || len(p.Each) == 0 {
		faults.add(of.ID, "", "properties", "Only an Object has properties, and it has one at least.")
	}
	for _, one := range p.Each {
		switch one.Type {
		case Symbol, Text, Integer, Number, Boolean:
		default:
			faults.add(of.ID, "", "properties", fmt.Sprintf("A property cannot be of type %q.", one.Type))
		}
		Field{ID: one.ID, Name: one.Name, Type: one.Type, Validations: one.Validations}.check(faults)
	}
	for _, id := range p.AnyOf {
		if !slices.ContainsFunc(p.Each, func(one Property) bool { return one.ID == id }) {
			faults.add(of.ID, "", "properties", fmt.Sprintf("There is no property %q, of which one is needed.", id))
		}
	}
}
