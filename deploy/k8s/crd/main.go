// Command crd writes a released CustomResourceDefinition as the checks read it: as JSON, without its descriptions, which are nine tenths of it.
//
//	go run ./deploy/k8s/crd < postgresql.cnpg.io_clusters.yaml > deploy/k8s/check/crds/clusters.json
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	if err := reduce(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func reduce(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var definition map[string]any
	if err := yaml.UnmarshalStrict(text, &definition); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(undescribed(definition, false))
}

// undescribed leaves descriptions out; among the properties of an object one may be called so.
func undescribed(value any, properties bool) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = undescribed(value[i], false)
		}
	case map[string]any:
		for name := range value {
			if name == "description" && !properties {
				delete(value, name)
				continue
			}
			value[name] = undescribed(value[name], name == "properties" && !properties)
		}
	}
	return value
}
