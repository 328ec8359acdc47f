package conventions

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/stack"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// everywhere stands for a table that all databases have.
const everywhere = "all"

// rows are the cells of the README's table under a heading.
func rows(t *testing.T, heading string) [][]string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(testkit.Repository(t), "services", "platform", "README.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "\n## "+heading+"\n")
	require.True(t, found, heading)
	part, _, _ := strings.Cut(rest, "\n## ")
	var cells [][]string
	for _, line := range regexp.MustCompile(`(?m)^\| (.+) \|$`).FindAllStringSubmatch(part, -1) {
		cells = append(cells, strings.Split(line[1], " | "))
	}
	require.Greater(t, len(cells), 1, heading)
	return cells[1:] // without the names of the columns
}

// policies are those of all services, by the database that they work in.
func policies() map[string][]retention.Policy {
	found := map[string][]retention.Policy{everywhere: service.Retention()}
	for _, schema := range stack.Schemas() {
		found[schema.Service] = schema.Retention
	}
	return found
}

func TestAPolicySaysAllThatItsTableNeeds(t *testing.T) {
	t.Parallel()
	for database, all := range policies() {
		names := map[string]bool{}
		for _, p := range append(service.Retention(), all...) {
			require.NotEmpty(t, p.Reason, p.Name)
			require.False(t, names[p.Name] && database != everywhere, "%s: two are named %s", database, p.Name)
			names[p.Name] = true
			require.True(t, p.Remove != nil || p.Table != "" && p.Column != "", p.Name)
		}
	}
}

// A table is removed from by a policy, or the README says why it may stay as it is.
func TestNoTableGrowsWithoutAReason(t *testing.T) {
	t.Parallel()
	reasons := map[string]map[string]bool{}
	for _, row := range rows(t, "What stays") {
		require.Len(t, row, 3, row)
		for _, table := range strings.Split(row[1], ", ") {
			if reasons[row[0]] == nil {
				reasons[row[0]] = map[string]bool{}
			}
			reasons[row[0]][strings.Trim(table, "`")] = true
		}
	}
	for _, schema := range stack.Schemas() {
		covered := map[string]bool{}
		for _, p := range append(service.Retention(), schema.Retention...) {
			covered[p.Table] = true
		}
		there := tables(t, schema)
		for _, table := range there {
			stays := reasons[everywhere][table] || reasons[schema.Service][table]
			require.True(t, covered[table] || stays, "%s.%s grows: it has neither a policy nor a reason in services/platform/README.md", schema.Service, table)
			require.False(t, covered[table] && stays, "%s.%s has a policy, so it does not stay", schema.Service, table)
		}
		for table := range reasons[schema.Service] {
			require.Contains(t, there, table, schema.Service)
		}
	}
}

// tables are those of a service's database.
func tables(t *testing.T, schema stack.Schema) []string {
	t.Helper()
	db := testkit.Postgres(t, schema.Service, schema.Migrate)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = owner.Close(context.WithoutCancel(t.Context())) }()
	found, err := owner.Query(t.Context(), "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'")
	require.NoError(t, err)
	names, err := pgx.CollectRows(found, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}
