// Package repository finds the folder that everything stands in, for tests and for the programs that
// build and drive the product.
package repository

import (
	"errors"
	"os"
	"path/filepath"
)

var errNone = errors.New("this is not the repository: there is no go.work here or above")

// Root is the folder of go.work: the working folder or one above it.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
	}
	return "", errNone
}
