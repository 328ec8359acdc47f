package check

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// crds are the definitions as their makers release them, written without their descriptions by ../crd.
//
//go:embed crds/*.json
var crds embed.FS

// schemas are the schemas of custom resources.
type schemas map[schema.GroupVersionKind]*customSchema

// customSchema is what the API server checks a custom resource by.
type customSchema struct{ root spec.Schema }

// definition is the part of a CustomResourceDefinition that counts here.
type definition struct {
	Spec struct {
		Group    string
		Names    struct{ Kind string }
		Versions []struct {
			Name   string
			Served bool
			Schema struct {
				OpenAPIV3Schema spec.Schema `json:"openAPIV3Schema"`
			}
		}
	}
}

func readSchemas() (schemas, error) {
	files, err := crds.ReadDir("crds")
	if err != nil {
		return nil, err
	}
	found := schemas{}
	for _, file := range files {
		text, err := crds.ReadFile("crds/" + file.Name())
		if err != nil {
			return nil, err
		}
		var d definition
		if err := json.Unmarshal(text, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		for _, v := range d.Spec.Versions {
			if v.Served {
				found[schema.GroupVersionKind{Group: d.Spec.Group, Version: v.Name, Kind: d.Spec.Names.Kind}] = &customSchema{v.Schema.OpenAPIV3Schema}
			}
		}
	}
	return found, nil
}

// validate finds what the schema does not allow. A field that it does not have the API server would drop without a word.
func (c *customSchema) validate(value map[string]any) error {
	result := validate.NewSchemaValidator(&c.root, nil, "", strfmt.Default).Validate(value)
	return errors.Join(append(slices.Clone(result.Errors), unknownFields(&c.root, value, "")...)...)
}

// unknownFields names the fields that a schema does not have. Metadata is not described by the schemas of custom resources.
func unknownFields(s *spec.Schema, value any, path string) (faults []error) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			if s.Items != nil && s.Items.Schema != nil {
				faults = append(faults, unknownFields(s.Items.Schema, element, fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case map[string]any:
		for name, field := range value {
			if next, known := fieldOf(s, name, path); !known {
				faults = append(faults, fmt.Errorf("%s.%s: there is no such field", path, name))
			} else if next != nil {
				faults = append(faults, unknownFields(next, field, path+"."+name)...)
			}
		}
	}
	return faults
}

// fieldOf gives the schema of a field, nil where everything goes.
func fieldOf(s *spec.Schema, name, path string) (field *spec.Schema, known bool) {
	if path == "" && name == "metadata" {
		return nil, true
	}
	if property, ok := s.Properties[name]; ok {
		return &property, true
	}
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.Schema, s.AdditionalProperties.Allows || s.AdditionalProperties.Schema != nil
	}
	free, _ := s.Extensions.GetBool("x-kubernetes-preserve-unknown-fields")
	return nil, free
}
