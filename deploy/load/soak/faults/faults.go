// Package faults keeps the faults that are planted to prove the product's tests. Each is a patch that breaks one promise of the product,
// in a folder named after the part that it breaks, and its first two lines say what goes wrong and which test must go red:
//
//	Fault: takes 799 yen for 799 pence
//	Caught by: TestWhatWasPaidIsWhatWasOrderedOrNothingIsGiven in services/billing/internal/sales
//
// The product's sources know nothing of them: a patch is applied to copies of the files that it changes, and `go test -overlay` compiles
// the copies. `make soak` runs each fault with its test; the tests of this package hold that each patch applies and compiles, and that
// its test exists.
package faults

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

//go:embed */*.patch
var patches embed.FS

// heading is what a patch begins with.
var heading = regexp.MustCompile(`\AFault: (.+)\nCaught by: (\w+) in (\S+)\n`)

var errHeading = errors.New("a patch begins with the lines \"Fault: …\" and \"Caught by: TestName in folder\"")

// Fault is one planted fault.
type Fault struct {
	// Name is the patch's, without folder and ending.
	Name string
	// Does says what the broken product does.
	Does string
	// Package is the folder, below the repository's, of the test that must go red, and Test its name.
	Package, Test string

	files []*gitdiff.File
}

// All gives every fault, ordered by part and name. It fails if one cannot be read.
func All() ([]Fault, error) {
	names, err := fs.Glob(patches, "*/*.patch")
	if err != nil {
		return nil, err
	}
	all := make([]Fault, len(names))
	for i, name := range names {
		text, err := patches.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if all[i], err = parse(strings.TrimSuffix(path.Base(name), ".patch"), text); err != nil {
			return nil, fmt.Errorf("fault %s: %w", name, err)
		}
	}
	return all, nil
}

func parse(name string, patch []byte) (Fault, error) {
	files, preamble, err := gitdiff.Parse(bytes.NewReader(patch))
	if err != nil {
		return Fault{}, err
	}
	said := heading.FindStringSubmatch(preamble)
	if said == nil {
		return Fault{}, errHeading
	}
	return Fault{Name: name, Does: said[1], Test: said[2], Package: said[3], files: files}, nil
}
