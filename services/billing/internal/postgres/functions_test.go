package postgres_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	store "serein.app/services/billing/internal/postgres"
)

// functions are the definitions and rights of billing's functions, by their signatures.
func (b *harness) functions(t *testing.T) map[string]string {
	t.Helper()
	rows, err := b.owner(t).Query(t.Context(), `SELECT oid::regprocedure::text, pg_get_functiondef(oid) || proowner::regrole::text || (
			SELECT string_agg(grantee::regrole::text || ' ' || privilege_type, ', ' ORDER BY grantee, privilege_type)
			FROM aclexplode(coalesce(proacl, acldefault('f', proowner))))
		FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND proname !~ '^river_'`)
	require.NoError(t, err)
	all := map[string]string{}
	var signature, definition string
	_, err = pgx.ForEachRow(rows, []any{&signature, &definition}, func() error {
		all[signature] = definition
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}

// functions_of_00038.sql has the signatures of the last release whose functions stood in the numbered migrations. A signature that changes
// without a DROP of the older one fails here, or stays beside the new one.
func TestAnOlderDatabaseGetsTheFunctionsOfAFreshOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fresh := b.functions(t)
	older, err := os.ReadFile("testdata/functions_of_00038.sql")
	require.NoError(t, err)
	_, err = b.owner(t).Exec(t.Context(), string(older))
	require.NoError(t, err)
	require.NotEqual(t, fresh, b.functions(t))

	for range 2 {
		require.NoError(t, store.Migrate(t.Context(), b.OwnerURL))
		require.Equal(t, fresh, b.functions(t))
	}
}

func TestNoFunctionIsForEverybody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for signature, definition := range b.functions(t) {
		require.NotContains(t, definition, "- EXECUTE", "%s has no REVOKE ... FROM PUBLIC", signature)
	}
}

// A numbered migration may only make a function that a trigger of the same migration needs, and only one that refuses every change. The
// rules stand once, in functions/.
func TestTheNumberedMigrationsHoldNoRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	placeholder := regexp.MustCompile(`(?m)^CREATE FUNCTION \w+\(\) RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'functions/\w+\.sql is not applied yet'; END \$\$;$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		rest := placeholder.ReplaceAllString(string(text), "")
		for _, word := range []string{"CREATE FUNCTION", "REPLACE FUNCTION", "ALTER FUNCTION", "ON FUNCTION", "LANGUAGE"} {
			require.NotContains(t, rest, word, file)
		}
	}
}
