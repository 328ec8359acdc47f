package listen

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// row is a recording of this run, and that of the same narrator, type and size of an earlier run.
type row struct {
	Now    Made
	Before *Made
	// BeforeFile is the earlier recording's address from the page.
	BeforeFile string
}

// part is all of one narrator's.
type part struct {
	Narrator string
	Rows     []row
}

var errItself = errors.New("a run is compared with another run, not with itself")

// writePage writes index.html into a folder. before is the folder of an earlier run, or empty.
func writePage(folder, before string, all []Made) (err error) {
	earlier, toBefore, err := readBefore(folder, before)
	if err != nil {
		return err
	}
	var parts []part
	for _, made := range all {
		if len(parts) == 0 || parts[len(parts)-1].Narrator != made.Narrator {
			parts = append(parts, part{Narrator: made.Narrator})
		}
		r := row{Now: made}
		if was, known := earlier[made.File]; known {
			r.Before, r.BeforeFile = &was, toBefore+"/"+made.File
		}
		last := &parts[len(parts)-1]
		last.Rows = append(last.Rows, r)
	}
	file, err := os.Create(filepath.Join(folder, "index.html"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return page.Execute(file, struct {
		Parts    []part
		Compared bool
	}{parts, before != ""})
}

// readBefore gives the recordings of an earlier run by their names, and its folder as seen from the page's.
func readBefore(folder, before string) (earlier map[string]Made, toBefore string, err error) {
	if before == "" {
		return nil, "", nil
	}
	here, err := filepath.Abs(folder)
	if err != nil {
		return nil, "", err
	}
	there, err := filepath.Abs(before)
	if err != nil {
		return nil, "", err
	}
	if here == there {
		return nil, "", errItself
	}
	if toBefore, err = filepath.Rel(here, there); err != nil {
		return nil, "", err
	}
	data, err := os.ReadFile(filepath.Join(there, measuresFile))
	if err != nil {
		return nil, "", fmt.Errorf("an earlier run: %w", err)
	}
	var all []Made
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, "", fmt.Errorf("an earlier run: %w", err)
	}
	earlier = map[string]Made{}
	for _, made := range all {
		earlier[made.File] = made
	}
	return earlier, filepath.ToSlash(toBefore), nil
}
