package postgres

import (
	"context"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// certificates of the connections that an address opens. pgx reads the files that it names (sslcert,
// sslkey, sslrootcert) once, when it parses it; here they are read for each connection, so that
// certificates are replaced without a restart.
type certificates struct {
	address string
	log     *slog.Logger

	mu   sync.Mutex
	last *pgx.ConnConfig
}

// renew is a pool's BeforeConnect. Files that do not fit together, as they may for a moment while they
// are replaced, change nothing yet.
func (c *certificates) renew(ctx context.Context, cc *pgx.ConnConfig) error {
	parsed, err := pgxpool.ParseConfig(c.address)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.last = parsed.ConnConfig
	} else {
		// The error quotes the address.
		c.log.ErrorContext(ctx, "the database's certificates cannot be read again; those before them are used")
	}
	next := c.last.Copy()
	cc.TLSConfig, cc.Fallbacks = next.TLSConfig, next.Fallbacks
	return nil
}

// Connect opens a connection like those of the pool, beside it and without traces.
func Connect(ctx context.Context, like *pgxpool.Pool) (*pgx.Conn, error) {
	cfg := like.Config()
	if cfg.BeforeConnect != nil {
		if err := cfg.BeforeConnect(ctx, cfg.ConnConfig); err != nil {
			return nil, err
		}
	}
	cfg.ConnConfig.Tracer = nil
	return pgx.ConnectConfig(ctx, cfg.ConnConfig)
}
