package identity_test

import (
	"context"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"serein.app/services/identity"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres"
	platformpostgres "serein.app/services/platform/postgres"
	"serein.app/services/testkit"
)

// emptySchema is a database of identity's without a table, for migrations that find something to change.
func emptySchema(t *testing.T) testkit.DB {
	t.Helper()
	db := testkit.Postgres(t, identity.Name, identity.Migrate)
	owner, err := pgx.Connect(t.Context(), db.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.Exec(t.Context(), `DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO identity;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO identity;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO identity`)
	require.NoError(t, err)
	return db
}

// migrateFirst makes the tables of the first release.
func migrateFirst(t *testing.T, db testkit.DB) {
	t.Helper()
	first, err := os.ReadFile("internal/postgres/migrations/00001_identity.sql")
	require.NoError(t, err)
	require.NoError(t, platformpostgres.Migrate(t.Context(), db.OwnerURL, fstest.MapFS{"migrations/00001_identity.sql": {Data: first}}))
}

func TestUsernamesFromBeforeOneKeyForEveryCaseAreStillFound(t *testing.T) {
	t.Parallel()
	now := time.Now()
	db := emptySchema(t)
	migrateFirst(t, db)
	names := []string{"Iris", "ırmak", "İpek", "AYŞE", "ᏣᎳᎩ", "ꮳꮃꮹ", "Ᏸᏹa", "Straße", "żaba", "IRMAK"}
	uids := map[string]uuid.UUID{}
	for i, name := range names {
		uids[name] = newID()
		before := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
		_, err := db.Pool.Exec(t.Context(), `INSERT INTO accounts (uid, username, username_key, email, email_key, given_name, family_name,
			password_hash, referral_code, created_at, confirmed_at) VALUES ($1, $2, $3, $2, $2, 'A', 'B', '', $2, $4, now())`, uids[name], name, before, now.Add(time.Duration(i)*time.Second))
		require.NoError(t, err)
	}
	require.NoError(t, identity.Migrate(t.Context(), db.OwnerURL))
	store := postgres.New(db.Pool, nil, nil, nil)
	for _, name := range names {
		found, err := store.ByUsername(t.Context(), account.UsernameKey(name), now)
		require.NoError(t, err, name)
		if name == "ırmak" {
			name = "IRMAK" // has had this key before, and keeps it
		}
		require.Equal(t, uids[name], found.UID, name)
	}
}
