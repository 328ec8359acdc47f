package postgres_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	store "serein.app/services/content/internal/postgres"
	"serein.app/services/testkit"
)

// room is a folder of internal with a store beside its rules.
type room struct {
	// owns are the tables that this room's store alone writes.
	owns []string
	// reads are tables of other rooms that its statements join, because two statements would be slower or could disagree.
	reads []string
	// imports are the packages of internal that the room may use.
	imports []string
}

// rooms of content. README.md has them in words.
var rooms = map[string]room{
	"assets": {
		owns: []string{"asset_files"}, reads: []string{"items", "published"},
		imports: []string{"columns", "entry", "sanitise"},
	},
	"courses": {
		owns:    []string{"course_progress"},
		imports: []string{"columns", "entry", "reading"},
	},
	"delivery": {
		owns: []string{"delivered"},
		reads: []string{
			"concept_broader", "concept_schemes", "concepts", "content_types", "deletions", "environments", "links", "locales", "published_counts",
		},
		imports: []string{"entry", "etag"},
	},
	"diary": {
		owns: []string{"diary_entries", "diary_keepers"}, reads: []string{"cards", "search_bespoke"},
		imports: []string{"reading"},
	},
	"keeping": {
		owns: []string{"like_counts", "likes", "saved"}, reads: []string{"cards"},
		imports: []string{"columns", "events", "reading"},
	},
	"listening": {
		owns: []string{"places"}, reads: []string{"cards", "search_bespoke"},
		imports: []string{"diary", "reading"},
	},
	"narrate": {
		owns: []string{"narration_files", "narrations"}, reads: []string{"items", "links", "published"},
		imports: []string{"catalogue", "columns", "entry"},
	},
	"reading": {
		owns: []string{"cards", "former_names", "list_counts", "listed"}, reads: []string{"published"},
		imports: []string{"columns", "entry", "markup", "search"},
	},
	"search": {
		owns: []string{
			"search_bespoke", "search_forgotten", "search_items", "search_members", "search_postings", "search_spellings", "search_version", "search_words",
		},
		reads:   []string{"published"},
		imports: []string{"columns", "entry", "events", "markup"},
	},
}

// here are the tables of this package.
var here = []string{
	"concept_broader", "concept_schemes", "concepts", "content_types", "deletions", "entry_counts", "environments", "items", "links", "locales",
	"published", "published_counts", "revisions", "tags", "upstream", "upstream_items",
}

// ofPlatform are the tables that every service has.
var ofPlatform = []string{"departed", "erasures", "inbox", "outbox", "platform_migrations", "retention", "service_migrations"}

func TestATableIsOneRoomsAlone(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "content", store.Migrate)
	owners := map[string]string{}
	for _, table := range here {
		owners[table] = "postgres"
	}
	for name, r := range rooms {
		for _, table := range r.owns {
			require.Empty(t, owners[table], table)
			owners[table] = name
		}
	}
	tables := tablesOf(t, db)
	for _, table := range tables {
		require.True(t, owners[table] != "" || slices.Contains(ofPlatform, table) || strings.HasPrefix(table, "river_"), "no room owns %s", table)
	}
	for name, r := range rooms {
		var others []string
		for _, table := range mentioned(t, filepath.Join("..", name, "postgres"), tables) {
			if owners[table] != name && owners[table] != "" {
				others = append(others, table)
			}
		}
		require.Equal(t, r.reads, others, "tables of other rooms in the statements of %s", name)
	}
}

func TestARoomUsesNoStoreOfAnotherAndNoPackageThatIsNotListed(t *testing.T) {
	t.Parallel()
	const internal = "serein.app/services/content/internal/"
	for name, r := range rooms {
		used := map[string]bool{}
		for _, file := range goFiles(t, filepath.Join("..", name)) {
			for _, spec := range file.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				rest, ours := strings.CutPrefix(imported, internal)
				if other, _, _ := strings.Cut(rest, "/"); ours && other != name {
					require.NotContains(t, rest, "/postgres", "%s uses the store of %s", name, other)
					used[other] = true
				}
			}
		}
		require.Equal(t, r.imports, slices.Sorted(maps.Keys(used)), "packages that %s uses", name)
	}
}

// tablesOf the database, views too, by their names.
func tablesOf(t *testing.T, db testkit.DB) (tables []string) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		`SELECT array_agg(relname::text ORDER BY relname) FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace`).Scan(&tables))
	return tables
}

// target is what a statement reads or writes.
var target = regexp.MustCompile(`(?i)\b(?:from|join|into|update|using)\s+([a-z_]+)`)

// mentioned are those of the tables that the statements of a store read or write, by their names.
func mentioned(t *testing.T, dir string, tables []string) []string {
	t.Helper()
	var sql strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".sql" || strings.Contains(name, "migrations") {
			return err
		}
		text, err := os.ReadFile(name)
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "--") {
				sql.WriteString(line)
			}
		}
		return err
	}))
	for _, file := range goFiles(t, dir) {
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				sql.WriteString(text.Value + "\n")
			}
			return true
		})
	}
	found := map[string]bool{}
	for _, m := range target.FindAllStringSubmatch(sql.String(), -1) {
		if slices.Contains(tables, m[1]) {
			found[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// goFiles are the files of the product in a folder and below it, without generated ones.
func goFiles(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "sqlcgen") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	}))
	return files
}
