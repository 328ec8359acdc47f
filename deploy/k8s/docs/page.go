// Package docs holds the pages that operators and developers read to what is there. A shell runs every command of docs/*.md, docs/adr/*.md, docs/runbooks/*.md
// and deploy/k8s/README.md, and its programs only note how they are called. Each call is compared with the tree, the rendered overlays, the
// services' own commands and a table of the tools that pages may call. Mutants show that each check refuses.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Page is a document of the repository.
type Page struct {
	// Path from the folder of the repository.
	Path string
	text string
}

// Pages are those that are checked.
func Pages(root string) ([]Page, error) {
	paths := []string{filepath.Join(root, "deploy", "k8s", "README.md")}
	for _, folder := range []string{"docs", "docs/adr", "docs/runbooks"} {
		pages, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
		if err != nil {
			return nil, err
		}
		paths = append(paths, pages...)
	}
	var found []Page
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		found = append(found, Page{name, string(text)})
	}
	return found, nil
}

// block is what stands between fences.
type block struct {
	// line is the first one of the text.
	line           int
	language, text string
}

// split parts a page into its blocks and the words around them.
func (p Page) split() (blocks []block, prose string) {
	var words strings.Builder
	var open *block
	for n, line := range strings.Split(p.text, "\n") {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{n + 2, language, ""}
		case fence:
			blocks, open = append(blocks, *open), nil
		case open != nil:
			open.text += line + "\n"
		default:
			words.WriteString(line + "\n")
		}
	}
	return blocks, words.String()
}

var span = regexp.MustCompile("`([^`\n]+)`")

// spans are the pieces of a text in backquotes. In a table a bar has a backslash before it.
func spans(prose string) (found []string) {
	for _, match := range span.FindAllStringSubmatch(prose, -1) {
		found = append(found, strings.ReplaceAll(match[1], `\|`, "|"))
	}
	return found
}

var (
	heading    = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	unslugged  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	linked     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	linkedText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchors are the names by which links reach the headings of a document.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		words := unslugged.ReplaceAllString(linkedText.ReplaceAllString(match[1], "$1"), "")
		found[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(words)), " ", "-")] = true
	}
	return found
}

// links are where a text leads inside the repository.
func links(prose string) (found []string) {
	for _, match := range linked.FindAllStringSubmatch(prose, -1) {
		if !strings.Contains(match[1], "://") && !strings.HasPrefix(match[1], "mailto:") {
			found = append(found, match[1])
		}
	}
	return found
}
