// Package check holds the manifests of deploy/k8s to rules, without a cluster: it renders them as kubectl does, decodes every object into
// its type, or against its own schema where it is a custom resource, and looks at what they say together. Its rules are tried on mutants.
package check

import (
	"fmt"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Folder is where the manifests are, from the folder of the repository.
const Folder = "deploy/k8s"

// render gives the documents of a kustomization below Folder.
func render(root, name string) ([][]byte, error) {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(root, Folder, name))
	if err != nil {
		return nil, err
	}
	documents := make([][]byte, resources.Size())
	for i, resource := range resources.Resources() {
		if documents[i], err = resource.AsYAML(); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// Load renders a kustomization and decodes all that it holds.
func Load(root, name string) (*Installation, error) {
	documents, err := render(root, name)
	if err != nil {
		return nil, err
	}
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	found := &Installation{Name: filepath.Base(name)}
	for _, document := range documents {
		object, err := decoder.decode(document)
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", name, err, document)
		}
		found.Objects = append(found.Objects, object)
	}
	if found.documented, err = readTables(root); err != nil {
		return nil, err
	}
	if found.metrics, err = Metrics(root); err != nil {
		return nil, err
	}
	if found.adapter, err = readAdapter(root); err != nil {
		return nil, err
	}
	return found, found.learn(root)
}

// kindOf is an object's kind with its group and version.
func kindOf(o Object) schema.GroupVersionKind { return o.GetObjectKind().GroupVersionKind() }
