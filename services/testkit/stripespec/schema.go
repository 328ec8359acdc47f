package stripespec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stripe/stripe-mock/spec"
)

// value holds a value against a schema. Unlike validators of JSON Schema it refuses fields that the schema does not name: an
// invented one is drift too.
func (d *description) value(at string, schema *spec.Schema, value any) error {
	if schema.Ref != "" {
		return d.value(at, d.spec.Components.Schemas[strings.TrimPrefix(schema.Ref, "#/components/schemas/")], value)
	}
	if value == nil {
		if schema.Nullable {
			return nil
		}
		return fmt.Errorf("%s is null", at)
	}
	if len(schema.AnyOf) > 0 {
		return d.anyOf(at, schema.AnyOf, value)
	}
	if len(schema.Enum) > 0 && !slices.Contains(schema.Enum, value) {
		return fmt.Errorf("%s is %v, none of %v", at, value, schema.Enum)
	}
	switch value := value.(type) {
	case map[string]any:
		return d.object(at, schema, value)
	case []any:
		return d.array(at, schema, value)
	}
	return plain(at, schema, value)
}

// anyOf gives the fault of the alternative that came closest: the last that is an object, where the value is one.
func (d *description) anyOf(at string, alternatives []*spec.Schema, value any) error {
	var faults []error
	for _, one := range alternatives {
		err := d.value(at, one, value)
		if err == nil {
			return nil
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (d *description) object(at string, schema *spec.Schema, value map[string]any) error {
	if schema.Type != spec.TypeObject {
		return fmt.Errorf("%s is an object, not a %s", at, schema.Type)
	}
	if len(schema.Properties) == 0 && schema.AdditionalProperties == nil {
		return d.free(at, value)
	}
	for _, name := range schema.Required {
		if _, there := value[name]; !there {
			return fmt.Errorf("%s.%s is missing", at, name)
		}
	}
	for name, field := range value {
		property := schema.Properties[name]
		if property == nil {
			property = schema.AdditionalProperties
		}
		if property == nil {
			return fmt.Errorf("%s.%s is not described", at, name)
		}
		if err := d.value(at+"."+name, property, field); err != nil {
			return err
		}
	}
	return nil
}

// free is an object of any kind, as in an event: where it says of which kind it is, it is held against that.
func (d *description) free(at string, value map[string]any) error {
	kind, _ := value["object"].(string)
	if described, ok := d.spec.Components.Schemas[kind]; ok {
		return d.value(at+"("+kind+")", described, value)
	}
	return nil
}

func (d *description) array(at string, schema *spec.Schema, value []any) error {
	if schema.Type != spec.TypeArray {
		return fmt.Errorf("%s is an array, not a %s", at, schema.Type)
	}
	for i, item := range value {
		if err := d.value(fmt.Sprintf("%s[%d]", at, i), schema.Items, item); err != nil {
			return err
		}
	}
	return nil
}

func plain(at string, schema *spec.Schema, value any) error {
	kind := ""
	switch value := value.(type) {
	case string:
		kind = spec.TypeString
		if schema.MaxLength > 0 && len(value) > schema.MaxLength {
			return fmt.Errorf("%s is longer than %d", at, schema.MaxLength)
		}
	case bool:
		kind = spec.TypeBoolean
	case float64:
		kind = spec.TypeNumber
		if schema.Type == spec.TypeInteger && value == float64(int64(value)) {
			kind = spec.TypeInteger
		}
	}
	if schema.Type != "" && schema.Type != kind {
		return fmt.Errorf("%s is %v, not a %s", at, value, schema.Type)
	}
	return nil
}
