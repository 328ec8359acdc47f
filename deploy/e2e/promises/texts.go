// Package promises has what the product's texts say can be done and where, and what proves each: a promise and its screen
// arrive together. Its tests hold texts and rows together without a browser; flows tries the rows on the screens.
package promises

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Text is one paragraph that people read, in Markdown or plain.
type Text struct{ Where, Words string }

var (
	link    = regexp.MustCompile(`\[([^\]]+)\]\((/[^)]*)\)`)
	between = regexp.MustCompile(`[.?!][”’"]?\s+|; |, and |, or `)
	// names finds a clause that names a place of a member's own, or a deed: by its words, by a link, or by a letter's address.
	names = regexp.MustCompile(`Members Area|My Journey|\bOrders\b|your orders|\bMemberships\b|\bthere(?: too)?(?:[.,;:]|$)|The window` +
		`|\bone click\b|\b[Uu]ndo\b|\bdownload\b|\bunsubscribe\b|\bpress\b|Choose [A-Z‘]|choose "|turn it off|switch (?:it|them) (?:on|off)|\]\(/(?:members|memberships|journey|orders)\b` +
		`|[Yy]ou can (?:also )?(?:browse|cancel|change|choose|correct|delete|download|invite|keep (?:it|your)|listen|pause|play|search|see|switch|top up|undo|update)\b` +
		`|serein\.example/(?:members|orders|journey|bespoke|signup|sign-in|unsubscribe|memberships)`)
)

// mere mentions name a place and say nothing that is done there.
var mere = []string{"this browser is known there"}

// Plain is a Markdown text without its links.
func Plain(words string) string { return link.ReplaceAllString(words, "$1") }

// Clauses are the parts of a text that name a place or a deed there, without their links.
func Clauses(words string) (found []string) {
	for _, clause := range between.Split(words, -1) {
		mention := slices.ContainsFunc(mere, func(m string) bool { return strings.Contains(clause, m) })
		if names.MatchString(clause) && !mention {
			found = append(found, Plain(clause))
		}
	}
	return found
}

// Links are the addresses in the product that texts in Markdown lead to.
func Links(texts []Text) (paths []string) {
	for _, text := range texts {
		for _, found := range link.FindAllStringSubmatch(text.Words, -1) {
			paths = append(paths, found[2])
		}
	}
	return paths
}

// Read gives the questions and answers, About, the legal texts and the Memberships page as they are seeded, and the agreed words
// of all letters. root is the repository's folder.
func Read(root string) (texts []Text, err error) {
	seed := filepath.Join(root, "services", "content", "seed")
	var questions []struct{ ID, Answer string }
	var page struct{ Subtitle string }
	if err := cmp.Or(decode(filepath.Join(seed, "faq.yaml"), &questions), decode(filepath.Join(seed, "membership-page.yaml"), &page)); err != nil {
		return nil, err
	}
	texts = append(texts, Text{"membership-page.yaml", page.Subtitle})
	for _, q := range questions {
		texts = append(texts, Text{q.ID, q.Answer})
	}
	letters, err := filepath.Glob(filepath.Join(root, "services", "mail", "internal", "letters", "testdata", "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, path := range append(letters, filepath.Join(seed, "about.md"), filepath.Join(seed, "privacy-policy.md"), filepath.Join(seed, "terms-and-conditions.md")) {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				texts = append(texts, Text{filepath.Base(path), line})
			}
		}
	}
	return texts, nil
}

func decode(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(content, into)
}
