package postgres

import (
	"context"
	"hash/fnv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/deadline"
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
	defer giveUp(ctx, conn, name)
	return true, work(ctx, conn)
}

// unlockTime bounds giving the lock back.
var unlockTime = deadline.Of(2 * time.Second)

// giveUp releases the lock at once, and closes the connection, in whatever state work has left it. Closing alone would
// release the lock too, as the end of the process does, but only when the server notices: until then the server would
// refuse the lock to the next replica for no reason.
func giveUp(ctx context.Context, conn *pgxpool.Conn, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
	defer cancel()
	_, _ = conn.Exec(ctx, `SELECT pg_advisory_unlock($1)`, lockKey(name))
	_ = conn.Conn().Close(ctx)
}

func lockKey(name string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum64())
}
