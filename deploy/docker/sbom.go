package docker

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// BOM lists what an image is made of, in CycloneDX: the Go modules of its binary, by what the linker has written into it, the
// packages of npm that its files come from, by the locks, and other files by their hash. It is the same for the same image.
func (i Image) BOM(stages Stages) (*cdx.BOM, error) {
	found := map[string]cdx.Component{}
	for _, c := range i.Copies {
		components, err := c.components(stages)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", i.Name, c.Source, err)
		}
		for _, component := range components {
			found[component.BOMRef] = component
		}
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{Type: cdx.ComponentTypeContainer, Name: "serein/" + i.Name, BOMRef: i.Name}}
	components := make([]cdx.Component, 0, len(found))
	for _, component := range found {
		components = append(components, component)
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	bom.Components = &components
	return bom, nil
}

// components are what a COPY line brings.
func (c Copy) components(stages Stages) ([]cdx.Component, error) {
	path, err := stages.path(c.Source)
	if path == "" || err != nil {
		return nil, err
	}
	switch {
	case c.Source == "/src/frontend/dist":
		return production(filepath.Join(stages.Repository, "frontend/package-lock.json"))
	case strings.Contains(c.Source, "/node_modules/"):
		lock, within, _ := strings.Cut(strings.TrimPrefix(c.Source, "/src"), "/node_modules/")
		return installed(filepath.Join(stages.Repository, lock, "package-lock.json"), within)
	}
	if info, err := buildinfo.ReadFile(path); err == nil {
		return modules(info), nil
	}
	return file(path, c.To)
}

// modules are those of others that a binary was linked from, and the standard library.
func modules(info *buildinfo.BuildInfo) []cdx.Component {
	found := []cdx.Component{library("golang", "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum != "" { // the repository's own have none
			found = append(found, library("golang", m.Path, m.Version))
		}
	}
	return found
}

// lockFile is a package-lock.json, as far as it says what is installed.
type lockFile struct {
	Packages map[string]struct {
		Version string
		Dev     bool
	}
}

func readLock(path string) (lock lockFile, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return lock, err
	}
	return lock, json.Unmarshal(content, &lock)
}

// production are the packages of a lock that do more than build.
func production(path string) ([]cdx.Component, error) {
	lock, err := readLock(path)
	if err != nil {
		return nil, err
	}
	var found []cdx.Component
	for at, of := range lock.Packages {
		if at != "" && !of.Dev {
			name := at[strings.LastIndex(at, "node_modules/")+len("node_modules/"):]
			found = append(found, library("npm", name, of.Version))
		}
	}
	return found, nil
}

// installed is the package of a lock that a file below node_modules belongs to.
func installed(path, within string) ([]cdx.Component, error) {
	lock, err := readLock(path)
	if err != nil {
		return nil, err
	}
	for name := within; name != "."; name = filepath.Dir(name) {
		if of, ok := lock.Packages["node_modules/"+name]; ok {
			return []cdx.Component{library("npm", name, of.Version)}, nil
		}
	}
	return nil, fmt.Errorf("no package of %s has it", path)
}

// file is a component without a version: its hash says which one it is.
func file(path, name string) ([]cdx.Component, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	hashes := []cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	return []cdx.Component{{Type: cdx.ComponentTypeFile, Name: name, BOMRef: name, Hashes: &hashes}}, nil
}

// library is a component by its package URL (https://github.com/package-url/purl-spec), in which a scope's @ is escaped.
func library(kind, name, version string) cdx.Component {
	purl := "pkg:" + kind + "/" + strings.Replace(name, "@", "%40", 1) + "@" + version
	return cdx.Component{Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: purl, BOMRef: purl}
}
