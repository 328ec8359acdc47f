// Package classifier is the editors' files that texts are filed by: keywords and their weights, and
// the category that each type of meditation leads to. It has no logic: package classify reads them.
package classifier

import "embed"

// Files has keywords/*.yaml (one file a category), neutral.yaml, examples.yaml and types.yaml. The labelled texts
// are for tests, which read them beside this file.
//
//go:embed keywords/*.yaml neutral.yaml examples.yaml types.yaml
var Files embed.FS
