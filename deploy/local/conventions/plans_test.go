package conventions

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const catalogue = "services/billing/internal/postgres/migrations/00004_plans.sql"

// planIDs are those that the catalogue starts with.
func planIDs(t *testing.T) []string {
	t.Helper()
	_, rows, found := strings.Cut(sources(t, ".sql")[catalogue], "INSERT INTO plans ")
	require.True(t, found)
	rows, _, _ = strings.Cut(rows, "ON CONFLICT")
	var ids []string
	for _, row := range regexp.MustCompile(`(?m)^    \('([a-z-]+)', '`).FindAllStringSubmatch(rows, -1) {
		ids = append(ids, row[1])
	}
	require.Len(t, ids, 5)
	return ids
}

func TestNoGoProgramKnowsAPlanByItsID(t *testing.T) {
	t.Parallel()
	ids := planIDs(t)
	for path, source := range sources(t, ".go") {
		if isTest(path) {
			continue
		}
		ast.Inspect(parse(t, path, source), func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				require.NotContains(t, ids, value, path)
			}
			return true
		})
	}
}

func TestTheAppKnowsNoPlanByItsID(t *testing.T) {
	t.Parallel()
	known := regexp.MustCompile("[\"'`](" + strings.Join(planIDs(t), "|") + ")[\"'`]")
	for path, source := range sources(t, ".ts", ".tsx") {
		if !isTest(path) {
			require.Empty(t, known.FindString(source), path)
		}
	}
}
