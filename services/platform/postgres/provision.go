package postgres

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Database is a service's database with its two roles: the owner runs migrations, the service
// role works with the rows and can change no table.
type Database struct {
	// Name of the database.
	Name string
	// Service names the roles <service>_owner and <service>.
	Service string
	// OwnerPassword and Password of the two roles.
	OwnerPassword, Password string
}

// Provision creates or repairs a service's roles and database as the server's administrator.
func Provision(ctx context.Context, admin *pgx.Conn, d Database) error {
	role, owner := pgx.Identifier{d.Service}.Sanitize(), pgx.Identifier{d.Service + "_owner"}.Sanitize()
	for _, r := range []struct{ name, ident, password string }{
		{d.Service + "_owner", owner, d.OwnerPassword}, {d.Service, role, d.Password},
	} {
		if err := ensureRole(ctx, admin, r.name, r.ident, r.password); err != nil {
			return err
		}
	}
	var exists bool
	if err := admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", d.Name).Scan(&exists); err != nil {
		return err
	}
	if exists {
		return nil
	}
	if _, err := admin.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s OWNER %s", pgx.Identifier{d.Name}.Sanitize(), owner)); err != nil {
		return fmt.Errorf("create database %s: %w", d.Name, err)
	}
	return grant(ctx, admin, d.Name, role, owner)
}

func ensureRole(ctx context.Context, admin *pgx.Conn, name, ident, password string) error {
	var exists bool
	if err := admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", name).Scan(&exists); err != nil {
		return err
	}
	verb := "CREATE"
	if exists {
		verb = "ALTER"
	}
	literal, err := admin.PgConn().EscapeString(password)
	if err != nil {
		return err
	}
	if _, err := admin.Exec(ctx, fmt.Sprintf("%s ROLE %s LOGIN PASSWORD '%s'", verb, ident, literal)); err != nil {
		return fmt.Errorf("role %s: %w", name, err)
	}
	return nil
}

// grant opens the new database to the service role: rows of tables that the owner makes
// later, but not the tables themselves.
func grant(ctx context.Context, admin *pgx.Conn, name, role, owner string) (err error) {
	cfg := admin.Config().Copy()
	cfg.Database = name
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	names := strings.NewReplacer("DATABASE_NAME", pgx.Identifier{name}.Sanitize(), "SERVICE_ROLE", role, "OWNER_ROLE", owner)
	for _, statement := range []string{
		"REVOKE ALL ON DATABASE DATABASE_NAME FROM PUBLIC",
		"GRANT CONNECT, TEMPORARY ON DATABASE DATABASE_NAME TO SERVICE_ROLE",
		"ALTER SCHEMA public OWNER TO OWNER_ROLE",
		"REVOKE ALL ON SCHEMA public FROM PUBLIC",
		"GRANT USAGE ON SCHEMA public TO SERVICE_ROLE",
		"ALTER DEFAULT PRIVILEGES FOR ROLE OWNER_ROLE IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO SERVICE_ROLE",
		"ALTER DEFAULT PRIVILEGES FOR ROLE OWNER_ROLE IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO SERVICE_ROLE",
	} {
		if _, err := conn.Exec(ctx, names.Replace(statement)); err != nil {
			return fmt.Errorf("grant on %s: %w", name, err)
		}
	}
	return nil
}

// WithLogin is base with another database and login.
func WithLogin(base, database, user, password string) (string, error) {
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("database address: %w", err)
	}
	u.User = url.UserPassword(user, password)
	u.Path = "/" + database
	return u.String(), nil
}
