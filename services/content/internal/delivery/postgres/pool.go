package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// Connections that all readers together have.
	Connections = 3
	// statementTime is how long one statement may take, in milliseconds.
	statementTime = "2000"
)

// Open makes a separate pool for the delivery API, so that its queries never delay other callers. The caller closes the pool.
func Open(ctx context.Context, like *pgxpool.Pool) (*pgxpool.Pool, error) {
	cfg := like.Config() // a copy
	cfg.MaxConns = Connections
	cfg.ConnConfig.RuntimeParams["statement_timeout"] = statementTime
	return pgxpool.NewWithConfig(ctx, cfg)
}
