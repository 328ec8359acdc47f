// Command settings writes the table of settings into the README of every service and of the gateway, out of the comments
// of their Config structs.
package main

import (
	"errors"
	"fmt"
	"os"

	"serein.app/deploy/local/settings"
	"serein.app/services/testkit"
	"serein.app/services/testkit/repository"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
}

func write() error {
	root, err := repository.Root()
	if err != nil {
		return err
	}
	var faults []error
	for _, program := range testkit.Services() {
		faults = append(faults, settings.WriteTable(root, program))
	}
	return errors.Join(faults...)
}
