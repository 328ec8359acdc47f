package check

import "slices"

// Secrets are those that README.md lists for this overlay, with their keys.
func (i *Installation) Secrets() map[string][]string {
	found := map[string][]string{}
	for name, row := range i.documented.secrets {
		if slices.Contains(row.overlays, i.Name) {
			found[name] = row.keys
		}
	}
	return found
}

// Decode reads one document and refuses what an API server would refuse or drop.
func Decode(document []byte) (Object, error) {
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	return decoder.decode(document)
}
