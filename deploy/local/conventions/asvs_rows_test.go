package conventions

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reasons are what an answer without a test begins with, in the order in which they are counted.
var reasons = []string{"By design", "Operator", "Does not apply", "Not met"}

var (
	answerRow = regexp.MustCompile(`^\| (V[0-9]+\.[0-9]+\.[0-9]+) \| ([^|]+) \| ([^|]+) \|$`)
	rowOf     = regexp.MustCompile(`^\| *(V[0-9.]+)`)
	spans     = regexp.MustCompile("`([^`]+)`")
	goTest    = regexp.MustCompile(`^([\w./-]+)\.((?:Test|Fuzz)\w+)$`)
	appTest   = regexp.MustCompile(`^(frontend/\S+\.test\.tsx?): (.+)$`)
	looksTest = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]|\.test\.tsx?\b`)
	place     = regexp.MustCompile(`^(?:README\.md|\.golangci\.yaml|\.ci/run|(?:services|gateway|frontend|deploy|proto|docs)/[\w./-]+)$`)
	reasoned  = regexp.MustCompile(`^([A-Z][a-z ]+):(.*)`)
)

// faultsOf says what is wrong with the answers of a document to the requirements, in its order; root is the repository's folder.
func faultsOf(document string, ids []string, root string) (faults []string) {
	answered := map[string]int{}
	for line := range strings.Lines(document) {
		line = strings.TrimSuffix(line, "\n")
		begun := rowOf.FindStringSubmatch(line)
		if begun == nil {
			continue
		}
		id := begun[1]
		answered[id]++
		row := answerRow.FindStringSubmatch(line)
		switch {
		case !slices.Contains(ids, id):
			faults = append(faults, id+" is no requirement")
		case answered[id] == 2:
			faults = append(faults, id+" is answered twice")
		case row == nil:
			faults = append(faults, id+" is not an answer in three columns")
		default:
			faults = append(faults, faultsOfProof(id, row[3], root)...)
		}
	}
	for _, id := range ids {
		if answered[id] == 0 {
			faults = append(faults, id+" has no answer")
		}
	}
	return faults
}

// faultsOfProof says what is wrong with what an answer is proved by.
func faultsOfProof(id, proof, root string) (faults []string) {
	tests := 0
	for _, span := range spans.FindAllStringSubmatch(proof, -1) {
		named := span[1]
		switch is := isTestNamed(named); {
		case is && !isThere(named, root):
			faults = append(faults, fmt.Sprintf("%s: no test %s", id, named))
		case is:
			tests++
		case looksTest.MatchString(named):
			faults = append(faults, fmt.Sprintf("%s: %s is not named as a test is", id, named))
		case place.MatchString(named) && !exists(root, named):
			faults = append(faults, fmt.Sprintf("%s: %s is not there", id, named))
		}
	}
	switch kind, why := reasonOf(proof); {
	case kind != "" && !slices.Contains(reasons, kind):
		faults = append(faults, id+" gives a reason of no kind")
	case kind != "" && why == "":
		faults = append(faults, id+" gives no reason")
	case kind == "" && tests == 0 && len(faults) == 0:
		faults = append(faults, id+" names neither test nor reason")
	}
	return faults
}

// reasonOf is the kind of the reason that a proof begins with, and the reason; empty where it begins with a test.
func reasonOf(proof string) (kind, why string) {
	if found := reasoned.FindStringSubmatch(proof); found != nil {
		return found[1], strings.TrimSpace(found[2])
	}
	return "", ""
}

func isTestNamed(s string) bool { return goTest.MatchString(s) || appTest.MatchString(s) }

// isThere looks for a test where its name says: a Go test in the files of its package, one of the app by its title.
func isThere(named, root string) bool {
	if app := appTest.FindStringSubmatch(named); app != nil {
		return declares(filepath.Join(root, filepath.FromSlash(app[1])), `(?m)^\s*(?:test|it)\("`+regexp.QuoteMeta(app[2])+`",`)
	}
	test := goTest.FindStringSubmatch(named)
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(test[1]), "*_test.go"))
	return err == nil && slices.ContainsFunc(files, func(file string) bool {
		return declares(file, `(?m)^func `+test[2]+`\(`)
	})
}

func declares(file, pattern string) bool {
	source, err := os.ReadFile(file)
	return err == nil && regexp.MustCompile(pattern).Match(source)
}

func exists(root, path string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path)))
	return err == nil
}

// tally counts the answers of a document by their kind, as it says it.
func tally(document string) string {
	counted := map[string]int{}
	for line := range strings.Lines(document) {
		if row := answerRow.FindStringSubmatch(strings.TrimSuffix(line, "\n")); row != nil {
			kind, _ := reasonOf(row[3])
			counted[kind]++
		}
	}
	return fmt.Sprintf("Met by test %d, by design %d, by the operator %d; does not apply %d; not met %d.",
		counted[""], counted["By design"], counted["Operator"], counted["Does not apply"], counted["Not met"])
}
