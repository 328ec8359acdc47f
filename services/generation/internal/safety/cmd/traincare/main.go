// Command traincare trains the classifier of package safety from the labelled titles in
// testdata/written and writes its weights to classifier.bin. It reads no other titles, and the same
// titles give the same bytes. It runs in the folder of the package, by go generate.
package main

import (
	"fmt"
	"os"
	"slices"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
	"serein.app/services/generation/internal/safety/linear"
)

const (
	titles = "testdata/written"
	into   = "classifier.bin"
)

func main() {
	if err := train(); err != nil {
		fmt.Fprintln(os.Stderr, "traincare:", err)
		os.Exit(1)
	}
}

func train() error {
	read, err := labelled.Read(os.DirFS(titles))
	if err != nil {
		return err
	}
	const mode = 0o644
	return os.WriteFile(into, linear.Train(examples(read), len(safety.Learnt())), mode)
}

func examples(read []labelled.Title) []linear.Example {
	all := make([]linear.Example, len(read))
	for i, title := range read {
		all[i] = linear.Example{Words: safety.Legible(title.Text), Class: slices.Index(safety.Learnt(), title.Class)}
	}
	return all
}
