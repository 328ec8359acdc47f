// Command traincare trains the classifier of package safety from the labelled titles in
// testdata/written and testdata/learnt and writes its weights to classifier.bin. It reads no other titles, and
// the same titles give the same bytes. It runs in the folder of the package, by go generate.
package main

import (
	"errors"
	"fmt"
	"os"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/safety/labelled"
	"serein.app/services/generation/internal/safety/linear"
)

const into = "classifier.bin"

var errNoTitles = errors.New("no titles: it runs in the folder of package safety")

func main() {
	if err := train(); err != nil {
		fmt.Fprintln(os.Stderr, "traincare:", err)
		os.Exit(1)
	}
}

func train() error {
	written, err := labelled.Read(os.DirFS("testdata/written"))
	if err != nil {
		return err
	}
	learnt, err := labelled.Read(os.DirFS("testdata/learnt"))
	if err != nil {
		return err
	}
	if len(written) == 0 || len(learnt) == 0 {
		return errNoTitles
	}
	const mode = 0o644
	return os.WriteFile(into, linear.Train(labelled.Examples(written, learnt), len(safety.Learnt)), mode)
}
