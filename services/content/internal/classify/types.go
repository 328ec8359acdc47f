package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/seed/classifier"
)

// Types leads from a meditation type's id to the category of what is made with it.
type Types map[string]string

// LoadTypes reads the embedded table and reports every category in it that does not exist. That all
// types of the catalogue stand in it is a test's to see.
func LoadTypes() (Types, error) { return loadTypes(classifier.Files) }

func loadTypes(files fs.FS) (Types, error) {
	data, err := fs.ReadFile(files, typesFileName)
	if err != nil {
		return nil, err
	}
	var types Types
	if err := unmarshal(data, &types); err != nil {
		return nil, fmt.Errorf("%s: %w", typesFileName, err)
	}
	var faults []error
	for id, category := range types {
		if !slices.Contains(categories[:uncategorized], category) {
			faults = append(faults, fmt.Errorf("%s: %s: there is no category %q", typesFileName, id, category))
		}
	}
	return types, errors.Join(faults...)
}

// unmarshal refuses fields that do not exist, and keys that stand twice.
func unmarshal(data []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	return decoder.Decode(into)
}
