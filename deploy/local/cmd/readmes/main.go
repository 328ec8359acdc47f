// Command readmes writes the tables that are made from the code into the READMEs: the settings and the metrics of every program, and
// what each service's database removes when.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"serein.app/deploy/local/metrics"
	"serein.app/deploy/local/readme"
	"serein.app/deploy/local/settings"
	"serein.app/services/testkit"
	"serein.app/services/testkit/repository"
)

const platform = "services/platform"

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "readmes:", err)
		os.Exit(1)
	}
}

func write() error {
	root, err := repository.Root()
	if err != nil {
		return err
	}
	faults := []error{writePlatform(root)}
	for _, program := range testkit.Services() {
		faults = append(faults, settings.WriteTable(root, program), writeMetrics(root, settings.Folder(program)))
	}
	return errors.Join(faults...)
}

// writeMetrics writes the table of a program's metrics.
func writeMetrics(root, folder string) error {
	found, err := metrics.Of(root, folder)
	if err != nil {
		return err
	}
	return readme.Write(filepath.Join(root, folder, "README.md"), "metrics", metrics.Table(found))
}

// writePlatform writes what every service removes and counts; the metrics of events have a table apart.
func writePlatform(root string) error {
	all, err := metrics.Of(root, platform)
	if err != nil {
		return err
	}
	ofEvents := func(m metrics.Metric) bool {
		return strings.HasPrefix(m.Name, "serein.bus.") || strings.HasPrefix(m.Name, "serein.outbox.")
	}
	var bus []metrics.Metric
	for _, m := range all {
		if ofEvents(m) {
			bus = append(bus, m)
		}
	}
	page := filepath.Join(root, platform, "README.md")
	return errors.Join(
		readme.Write(page, "retention", retentionTable()),
		readme.Write(page, "metrics of the bus", metrics.Table(bus)),
		readme.Write(page, "metrics", metrics.Table(slices.DeleteFunc(all, ofEvents))),
	)
}
