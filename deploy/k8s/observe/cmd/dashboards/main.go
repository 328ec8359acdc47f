// Command dashboards writes Grafana's dashboards into the folder that is named.
package main

import (
	"fmt"
	"os"

	"serein.app/deploy/k8s/observe/dashboards"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dashboards FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, board := range dashboards.All() {
		text, err := board.JSON()
		if err != nil {
			return fmt.Errorf("%s: %w", board.Name, err)
		}
		if err := root.WriteFile(board.Name+".json", text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
