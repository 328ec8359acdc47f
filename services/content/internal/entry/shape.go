package entry

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What a payment provider charges at least and at most, in pence (docs.stripe.com/currencies, minimum and maximum charge
// amounts).
const leastCharge, mostCharge = 30, 99_999_999

const chargeable = "The amount must be a whole number of pence, from 30 (£0.30) to 99999999 (£999,999.99)."

// Shape says which keys the values of a field of type Object have. Others are refused: a misspelt one would be missed by
// whoever reads it.
type Shape struct {
	// List: the value is a list of such objects.
	List bool       `json:"list,omitempty"`
	Keys []ShapeKey `json:"keys"`
}

// ShapeKey is a key of an object. Its type is Symbol, Text, Integer, Number or Boolean.
type ShapeKey struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Type        Type         `json:"type"`
	Required    bool         `json:"required,omitempty"`
	Validations []Validation `json:"validations,omitempty"`
}

// misfit says why the value has not the shape; empty where it has.
func (s Shape) misfit(value any) string {
	if !s.List {
		return s.object(value)
	}
	list, ok := value.([]any)
	if !ok {
		return "It must be a list."
	}
	for i, element := range list {
		if fault := s.object(element); fault != "" {
			return fmt.Sprintf("Number %d: %s", i+1, fault)
		}
	}
	return ""
}

func (s Shape) object(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		return "It must have the keys " + s.names() + "."
	}
	for _, id := range slices.Sorted(maps.Keys(object)) {
		if !slices.ContainsFunc(s.Keys, func(k ShapeKey) bool { return k.ID == id }) {
			return fmt.Sprintf("There is no key %q; there are %s.", id, s.names())
		}
	}
	for _, k := range s.Keys {
		if fault := k.misfit(object[k.ID]); fault != "" {
			return k.Name + ": " + fault
		}
	}
	return ""
}

func (s Shape) names() string {
	ids := make([]string, len(s.Keys))
	for i, k := range s.Keys {
		ids[i] = k.ID
	}
	return strings.Join(ids, ", ")
}

func (k ShapeKey) misfit(value any) string {
	if isEmpty(value) {
		return unless(!k.Required, "A value is needed.")
	}
	var faults FieldErrors
	f := Field{ID: k.ID, Type: k.Type, Validations: k.Validations}
	f.checkValue("", value, &faults)
	f.validate("", value, &faults)
	if len(faults) == 0 {
		return ""
	}
	return faults[0].Details
}

// check finds a shape that cannot work.
func (s Shape) check(of Field, faults *FieldErrors) {
	if of.Type != Object || len(s.Keys) == 0 {
		faults.add(of.ID, "", "shape", "A shape is that of an Object, and has keys.")
	}
	for _, k := range s.Keys {
		switch k.Type {
		case Symbol, Text, Integer, Number, Boolean:
		default:
			faults.add(of.ID, "", "shape", fmt.Sprintf("A key cannot be of type %q.", k.Type))
		}
		Field{ID: k.ID, Name: k.Name, Type: k.Type, Validations: k.Validations}.check(faults)
	}
}
