package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"serein.app/deploy/k8s/check"
)

var (
	anyName = regexp.MustCompile(`<[a-z_ -]+>`)
	// variable is a name of several words; one of a single word stands in backquotes.
	variable   = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|` + "`[A-Z]{5,}`")
	metric     = regexp.MustCompile(`\bserein\.(?:[a-z_]+|<service>)(?:\.[a-z_]+)+\b`)
	underscore = regexp.MustCompile(`\bserein_([a-z_]+)\b`)
	// testName is how a page names a test.
	testName     = regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]+)`")
	declaredTest = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	// version ends what is no metric: a subject, a contract.
	version = regexp.MustCompile(`\.v[0-9]+\b`)
)

// otherWords are in capitals and no variables of a program, with what they are.
var otherWords = map[string]string{
	"ERROR":   "a level of the log",
	"VERSION": "an argument of the Dockerfile",
	"RUNS":    "an argument of make", "SOAK": "an argument of make",
}

// words refuses variables and metrics that nothing reads or counts, and tests that are not there.
func (c *Checker) words(text string) (faults []error) {
	for _, name := range variable.FindAllString(text, -1) {
		name = strings.Trim(name, "`")
		known := c.variables[name] || otherWords[name] != "" || strings.HasPrefix(name, "OTEL_EXPORTER_OTLP_")
		if !known {
			faults = append(faults, fmt.Errorf("no program reads the variable %s", name))
		}
	}
	for _, place := range metric.FindAllStringIndex(text, -1) {
		name := text[place[0]:place[1]]
		if !version.MatchString(name) && !version.MatchString(text[place[1]:min(len(text), place[1]+4)]) && !c.metrics[name] {
			faults = append(faults, fmt.Errorf("nothing counts the metric %s", name))
		}
	}
	for _, match := range underscore.FindAllStringSubmatch(text, -1) {
		if c.programs[match[1]] == nil && !check.Scraped(c.metrics, match[0]) {
			faults = append(faults, fmt.Errorf("no database or metric is called %s", match[0]))
		}
	}
	for _, match := range testName.FindAllStringSubmatch(text, -1) {
		if !c.tests[match[1]] {
			faults = append(faults, fmt.Errorf("there is no test %s", match[1]))
		}
	}
	return faults
}

// readTests finds the names of all tests.
func readTests(root string) (map[string]bool, error) {
	found, tree := map[string]bool{}, os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || path != "." && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(tree, path)
		for _, match := range declaredTest.FindAllSubmatch(text, -1) {
			found[string(match[1])] = true
		}
		return err
	})
	return found, err
}

// links refuses a link to a file or a heading that is not there.
func (c *Checker) links(p Page, prose string) (faults []error) {
	for _, link := range links(prose) {
		path, anchor, _ := strings.Cut(link, "#")
		target := filepath.Join(c.root, filepath.Dir(p.Path), path)
		text := p.text
		if path != "" {
			found, err := os.ReadFile(target)
			if info, missing := os.Stat(target); err != nil && (missing != nil || !info.IsDir()) {
				faults = append(faults, fmt.Errorf("the link %s leads nowhere", link))
				continue
			}
			text = string(found)
		}
		if anchor != "" && !anchors(text)[anchor] {
			faults = append(faults, fmt.Errorf("the link %s leads to no heading", link))
		}
	}
	return faults
}
