package postgres

import (
	"context"
	"hash/fnv"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Lead does work while this process alone holds the lock of that name in the database, and says
// whether it did: false is that another process holds it. The lock belongs to the connection that
// work gets: as long as that answers nobody else leads.
func Lead(ctx context.Context, db *pgxpool.Pool, name string, work func(ctx context.Context, conn *pgxpool.Conn) error) (bool, error) {
	conn, err := db.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	var leader bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lockKey(name)).Scan(&leader); err != nil || !leader {
		return false, err
	}
	// Closing the connection, also by dying, gives the lock back.
	defer func() { _ = conn.Conn().Close(context.WithoutCancel(ctx)) }()
	return true, work(ctx, conn)
}

func lockKey(name string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum64())
}
