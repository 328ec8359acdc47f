package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Leave stores, in the caller's transaction, whether a member has asked for the account to be deleted or has taken that back; the latest event
// counts. A job then cancels the membership of a member who leaves; an old or repeated event queues no job.
func (s *Store) Leave(ctx context.Context, tx pgx.Tx, uid uuid.UUID, leaves bool, at time.Time) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	n, err := s.queries.Leave(ctx, tx, sqlcgen.LeaveParams{Uid: uid, Leaves: leaves, At: at})
	if err != nil || n == 0 || !leaves {
		return err
	}
	return s.work.StopRenewal(ctx, tx, uid)
}

// Stays says whether a member who had asked for the account to be deleted has taken that back.
func (s *Store) Stays(ctx context.Context, uid uuid.UUID) (bool, error) {
	stays, err := s.queries.Stays(ctx, s.db, uid)
	return stays, postgres.Translate(err, nil)
}
