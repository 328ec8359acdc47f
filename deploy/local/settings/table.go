package settings

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"serein.app/deploy/local/readme"
)

// Folder is where the source of a program and its README lie.
func Folder(program string) string {
	if program == "gateway" {
		return program
	}
	return "services/" + program
}

// WriteTable writes the table of a program's settings into its README.
func WriteTable(root, program string) error {
	folder := Folder(program)
	variables, err := Of(root, program)
	if err != nil {
		return err
	}
	table, err := tableOf(variables)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	return readme.Write(filepath.Join(root, folder, "README.md"), "settings", table)
}

// tableOf lists variables, the required ones first. A variable without a comment is an error.
func tableOf(variables []Variable) (string, error) {
	var faults []error
	var table strings.Builder
	table.WriteString(readme.Head("variable", "default", "meaning"))
	sorted := slices.SortedStableFunc(slices.Values(variables), func(a, b Variable) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, v := range sorted {
		if v.Text == "" {
			faults = append(faults, fmt.Errorf("%s has no comment", v.Name))
		}
		table.WriteString(readme.Row("`"+v.Name+"`", v.standard(), v.meaning()))
	}
	return table.String(), errors.Join(faults...)
}

// rank orders a table: what must be set comes first.
func (v Variable) rank() int {
	if v.Required {
		return 0
	}
	return 1
}

// standard says what counts while the variable is not set.
func (v Variable) standard() string {
	switch {
	case v.Required:
		return "required"
	case v.Default != "":
		return "`" + v.Default + "`"
	}
	return ""
}

// meaning is the text without the variable's name at its beginning, which stands beside it.
func (v Variable) meaning() string {
	text := strings.TrimPrefix(v.Text, "`"+v.Name+"` ")
	for _, verb := range []string{"is ", "are "} {
		text = strings.TrimPrefix(text, verb)
	}
	if v.Secret {
		text = "**secret**: " + text
	}
	return text
}
