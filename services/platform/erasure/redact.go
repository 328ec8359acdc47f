package erasure

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"serein.app/services/platform/bus"
)

// page is how many rows of the outbox one statement reads.
const page = 5000

// redact deletes all events about the members from the outbox and the streams, and done jobs that name the members from the queue.
// Events that the relay has not published yet have to go out first (ErrPending): every change is published, whatever happens.
//
// The outbox has no column for the member of an event, since its index would slow every event down and serve the few deletions of
// a day. redact reads the outbox by its key instead, once for all deletions that are due.
func (e *Eraser) redact(ctx context.Context, all []Deletion) error {
	members := make([]string, len(all))
	for i, d := range all {
		members[i] = d.UID.String()
	}
	if err := e.redactOutbox(ctx, members); err != nil {
		return err
	}
	for _, stream := range []string{bus.StreamName(e.Service), bus.DeadStream(e.Service)} {
		if err := e.Bus.Redact(ctx, stream, members); err != nil {
			return fmt.Errorf("events of deleted accounts: %w", err)
		}
	}
	return e.redactJobs(ctx, members)
}

// redactJobs takes done jobs that name the members out of the queue; one that is not done has to be first (ErrPending).
func (e *Eraser) redactJobs(ctx context.Context, members []string) error {
	var waiting int
	err := e.DB.QueryRow(ctx, `WITH of_member AS (SELECT id, finalized_at FROM river_job
			WHERE EXISTS (SELECT FROM unnest($1::text[]) uid WHERE position(uid IN args::text) > 0)),
		gone AS (DELETE FROM river_job WHERE id IN (SELECT id FROM of_member WHERE finalized_at IS NOT NULL))
		SELECT count(*) FROM of_member WHERE finalized_at IS NULL`, members).Scan(&waiting)
	if err == nil && waiting > 0 {
		return ErrPending
	}
	return err
}

func (e *Eraser) redactOutbox(ctx context.Context, members []string) error {
	var after uuid.UUID
	for {
		var n, waiting int
		err := e.DB.QueryRow(ctx, `WITH page AS (SELECT id, published_at, payload FROM outbox WHERE id > $1 ORDER BY id LIMIT $2),
			of_member AS (SELECT id, published_at FROM page WHERE EXISTS (
				SELECT FROM unnest($3::bytea[]) member WHERE position(member IN payload) > 0)),
			gone AS (DELETE FROM outbox WHERE published_at IS NOT NULL AND id IN (SELECT id FROM of_member))
			SELECT count(*), (SELECT count(*) FROM of_member WHERE published_at IS NULL), coalesce((SELECT id FROM page ORDER BY id DESC LIMIT 1), $1)
			FROM page`, after, page, marks(members)).Scan(&n, &waiting, &after)
		switch {
		case err != nil:
			return fmt.Errorf("outbox of deleted accounts: %w", err)
		case waiting > 0:
			return ErrPending
		case n < page:
			return nil
		}
	}
}

// marks are how an envelope begins its field uid: tag 3 with a length of 36. So an event of another member that names this one, a
// friend's confirmation for example, stays: it has to be heard, and goes by its age.
func marks(members []string) [][]byte {
	all := make([][]byte, len(members))
	for i, uid := range members {
		all[i] = append([]byte{3<<3 | 2, byte(len(uid))}, uid...)
	}
	return all
}
