// Package readme writes tables that are made from the code into the READMEs of the repository.
package readme

import (
	"fmt"
	"os"
	"strings"
)

// Write replaces what stands in a README between the two lines that a table's name has there.
func Write(path, name, table string) error {
	begin, end := "<!-- "+name+": make generate writes this table -->\n", "<!-- end of "+name+" -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		return fmt.Errorf("%s: there are no lines %q and %q", path, begin, end)
	}
	return os.WriteFile(path, []byte(before+begin+table+end+after), 0o644) //nolint:gosec // a file of the repository
}

// Head is the first row of a table with the line below it.
func Head(columns ...string) string {
	return Row(columns...) + strings.Repeat("|---", len(columns)) + "|\n"
}

// Row is one row of a table.
func Row(cells ...string) string {
	var row strings.Builder
	for _, cell := range cells {
		row.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
	}
	return row.String() + "|\n"
}
