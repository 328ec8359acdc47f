package conventions

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const catalogue = "services/billing/internal/postgres/migrations/00004_plans.sql"

// planWords are the ids and the names that the catalogue starts with. "Generate", a plan's name, is a
// word of the app too.
func planWords(t *testing.T) []string {
	t.Helper()
	_, rows, found := strings.Cut(sources(t, ".sql")[catalogue], "INSERT INTO plans ")
	require.True(t, found)
	rows, _, _ = strings.Cut(rows, "ON CONFLICT")
	var words []string
	for _, row := range regexp.MustCompile(`(?m)^    \('([a-z-]+)', '([^']+)'`).FindAllStringSubmatch(rows, -1) {
		words = append(words, row[1], row[2])
	}
	require.Len(t, words, 2*5)
	require.Subset(t, words, []string{"serein-premium", "Premium", "Generate"})
	return slices.DeleteFunc(words, func(word string) bool { return word == "Generate" })
}

func TestNoGoProgramKnowsAPlanByItsIDOrName(t *testing.T) {
	t.Parallel()
	words := planWords(t)
	for path, source := range sources(t, ".go") {
		if isTest(path) {
			continue
		}
		ast.Inspect(parse(t, path, source), func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				require.NotContains(t, words, value, path)
			}
			return true
		})
	}
}

func TestTheAppKnowsNoPlanByItsIDOrName(t *testing.T) {
	t.Parallel()
	known := regexp.MustCompile("[\"'`](" + strings.Join(planWords(t), "|") + ")[\"'`]")
	for path, source := range sources(t, ".ts", ".tsx") {
		if !isTest(path) {
			require.Empty(t, known.FindString(source), path)
		}
	}
}
