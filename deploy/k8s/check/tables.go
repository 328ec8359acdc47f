package check

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// tables are what the READMEs say, row by row.
type tables struct {
	// edges of the map of deploy/k8s/README.md.
	edges []edgeRow
	// secrets by their names there.
	secrets map[string]secretRow
	// shared are the variables of every program, of services/platform/README.md.
	shared map[string]bool
}

// edgeRow allows every one of from to reach every one of to at every one of ports.
type edgeRow struct {
	from, to, ports []string
	overlays        []string
}

type secretRow struct {
	keys, overlays []string
	maker          string
}

func readTables(root string) (tables, error) {
	own, err := os.ReadFile(filepath.Join(root, Folder, "README.md"))
	if err != nil {
		return tables{}, err
	}
	platform, err := os.ReadFile(filepath.Join(root, "services/platform/README.md"))
	if err != nil {
		return tables{}, err
	}
	found := tables{secrets: map[string]secretRow{}, shared: map[string]bool{}}
	for _, row := range rows(string(own), "Edges") {
		found.edges = append(found.edges, edgeRow{list(row[0]), list(row[1]), list(row[2]), overlays(row[3])})
	}
	for _, row := range rows(string(own), "Secrets") {
		for _, name := range list(row[0]) {
			found.secrets[name] = secretRow{list(row[1]), overlays(row[2]), row[3]}
		}
	}
	for _, row := range rows(string(platform), "Variables of every program") {
		for _, name := range list(row[0]) {
			found.shared[name] = true
		}
	}
	if len(found.edges) == 0 || len(found.secrets) == 0 || len(found.shared) == 0 {
		return tables{}, fmt.Errorf("a table is missing: %d edges, %d secrets, %d shared variables", len(found.edges), len(found.secrets), len(found.shared))
	}
	return found, nil
}

// rows are the cells of the first table below a heading, without its head.
func rows(text, heading string) (found [][]string) {
	_, below, _ := strings.Cut(text, "\n## "+heading+"\n")
	below, _, _ = strings.Cut(below, "\n## ")
	for line := range strings.Lines(below) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(found) > 0 {
				break
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for c := range cells {
			cells[c] = strings.TrimSpace(cells[c])
		}
		found = append(found, cells)
	}
	return found[min(2, len(found)):]
}

// FirstCells are those of all tables of a text.
func FirstCells(text string) (found []string) {
	for line := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(line, "|"); ok {
			cell, _, _ := strings.Cut(row, "|")
			found = append(found, cell)
		}
	}
	return found
}

var word = regexp.MustCompile(`[A-Za-z0-9_.-]+`)

// list are the words of a cell, with commas between them and in backquotes or not.
func list(cell string) []string { return word.FindAllString(cell, -1) }

// overlays are those that a row is about.
func overlays(cell string) []string {
	if cell == "both" {
		return []string{"dev", "prod"}
	}
	return list(cell)
}
