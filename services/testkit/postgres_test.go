package testkit_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

func migrate(ctx context.Context, url string) error {
	return postgres.Migrate(ctx, url, fstest.MapFS{"migrations/001_things.sql": {Data: []byte("-- +goose Up\nCREATE TABLE things (id int PRIMARY KEY);\n")}})
}

func TestEachTestHasItsOwnDatabase(t *testing.T) {
	t.Parallel()
	one, two := testkit.Postgres(t, "mail", migrate), testkit.Postgres(t, "mail", migrate)
	_, err := one.Pool.Exec(t.Context(), "INSERT INTO things VALUES (1)")
	require.NoError(t, err)
	var n int
	require.NoError(t, two.Pool.QueryRow(t.Context(), "SELECT count(*) FROM things").Scan(&n))
	require.Zero(t, n)
}

func TestTheServiceRoleCannotChangeTables(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	for _, statement := range []string{"DROP TABLE things", "ALTER TABLE things ADD x int", "CREATE TABLE other (id int)", "TRUNCATE things"} {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.ErrorContains(t, err, "SQLSTATE 42501", statement)
	}
}
