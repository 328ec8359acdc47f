package testkit

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit/embeddedpg"
)

// ServerVariable names a running server for tests, as its administrator. `make test` sets it,
// so that all packages share one; without it each test binary starts its own.
const ServerVariable = "TEST_DATABASE_URL"

// rolePassword is every test role's password; the server listens on loopback only.
const rolePassword = "test-role-password"

// DB is one test's own database.
type DB struct {
	// Pool works as the service's role.
	Pool *pgxpool.Pool
	// URL and OwnerURL are the addresses for the service's role and for the owner.
	URL, OwnerURL string
	// AdminURL is the administrator's address of the same database.
	AdminURL string
}

// Postgres clones the service's migrated database for this test and drops it afterwards.
func Postgres(tb testing.TB, service string, migrate func(ctx context.Context, ownerURL string) error) DB {
	tb.Helper()
	ctx := context.Background()
	base, err := serverURL(ctx)
	require.NoError(tb, err, "PostgreSQL for tests")
	template, err := templates.get(ctx, base, service, migrate)
	require.NoError(tb, err, "template database of %s", service)

	name := fmt.Sprintf("t_%s_%s", service, randomHex())
	require.NoError(tb, administer(ctx, base, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s OWNER %s STRATEGY FILE_COPY", name, template, service+"_owner")))

	db := addresses(tb, base, service, name)
	pool, err := postgres.Open(ctx, postgres.Config{URL: config.URL(db.URL), MaxConns: 20}, nil)
	require.NoError(tb, err)
	db.Pool = pool
	tb.Cleanup(func() {
		pool.Close()
		_ = administer(ctx, base, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") // where the server is gone the database is too
	})
	return db
}

// administration is the administrator's connection of this process: another one costs as much as many a test.
var administration struct {
	mu sync.Mutex
	to *pgx.Conn
}

func administer(ctx context.Context, base, sql string) error {
	administration.mu.Lock()
	defer administration.mu.Unlock()
	if administration.to == nil || administration.to.IsClosed() {
		var err error
		if administration.to, err = pgx.Connect(ctx, base); err != nil {
			return err
		}
	}
	_, err := administration.to.Exec(ctx, sql)
	return err
}

func addresses(tb testing.TB, base, service, name string) DB {
	tb.Helper()
	var db DB
	var err error
	db.URL, err = postgres.WithLogin(base, name, service, rolePassword)
	require.NoError(tb, err)
	db.OwnerURL, err = postgres.WithLogin(base, name, service+"_owner", rolePassword)
	require.NoError(tb, err)
	cfg, err := pgx.ParseConfig(base)
	require.NoError(tb, err)
	db.AdminURL, err = postgres.WithLogin(base, name, cfg.User, cfg.Password)
	require.NoError(tb, err)
	return db
}

func randomHex() string {
	raw := make([]byte, 6)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}

// templateCache migrates each service's template once in a process.
type templateCache struct {
	mu    sync.Mutex
	names map[string]string
}

var templates = &templateCache{names: map[string]string{}}

func (c *templateCache) get(ctx context.Context, base, service string, migrate func(context.Context, string) error) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, ok := c.names[service]; ok {
		return name, nil
	}
	name := fmt.Sprintf("template_%s_%d_%s", service, os.Getpid(), randomHex())
	admin, err := pgx.Connect(ctx, base)
	if err != nil {
		return "", err
	}
	defer func() { _ = admin.Close(ctx) }()
	if err := provision(ctx, admin, service, name); err != nil {
		return "", err
	}
	owner, err := postgres.WithLogin(base, name, service+"_owner", rolePassword)
	if err != nil {
		return "", err
	}
	if err := migrate(ctx, owner); err != nil {
		return "", err
	}
	c.names[service] = name
	return name, nil
}

// provision holds a lock, since test binaries of several packages share the server's roles.
func provision(ctx context.Context, admin *pgx.Conn, service, name string) error {
	h := fnv.New32a()
	_, _ = h.Write([]byte("serein.testkit"))
	if _, err := admin.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(h.Sum32())); err != nil {
		return err
	}
	defer func() { _, _ = admin.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(h.Sum32())) }()
	return postgres.Provision(ctx, admin, postgres.Database{
		Name: name, Service: service, OwnerPassword: rolePassword, Password: rolePassword,
	})
}

var ownServer = sync.OnceValues(func() (string, error) {
	binaries, err := findPart("postgres")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "serein-test-pg-")
	if err != nil {
		return "", err
	}
	log, err := os.Create(filepath.Join(dir, "server.log"))
	if err != nil {
		return "", err
	}
	// It ends with this process (see embedded) and its folder is the system's to clean.
	server, err := embeddedpg.Start(context.Background(), embeddedpg.Config{
		Binaries: binaries, Data: filepath.Join(dir, "data"), Password: rolePassword, Fast: true, Log: log,
	})
	if err != nil {
		return "", err
	}
	return server.URL("postgres"), nil
})

func serverURL(context.Context) (string, error) {
	if url := os.Getenv(ServerVariable); url != "" {
		return url, nil
	}
	return ownServer()
}
