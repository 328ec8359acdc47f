// Package inbox makes consumers idempotent by their own database: the event's id is recorded
// in the transaction of its effect, so that an event that comes twice is applied once.
package inbox

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Once records the event for the consumer and says whether this is the first time. Where it
// is not, the caller changes nothing and the event is acknowledged.
func Once(ctx context.Context, tx pgx.Tx, consumer, eventID string) (first bool, err error) {
	recorded, err := record(ctx, tx, consumer, []string{eventID})
	return recorded[eventID], err
}

// record records events in the order of their ids, as every transaction does, and gives those that
// were not recorded before.
func record(ctx context.Context, tx pgx.Tx, consumer string, ids []string) (map[string]bool, error) {
	fault := func(err error) (map[string]bool, error) {
		return nil, fmt.Errorf("record events of %s: %w", consumer, err)
	}
	rows, err := tx.Query(ctx, `INSERT INTO inbox (consumer, event_id) SELECT $1, id FROM unnest($2::text[]::uuid[]) id
		ORDER BY id ON CONFLICT DO NOTHING RETURNING event_id::text`, consumer, ids)
	if err != nil {
		return fault(err)
	}
	fresh, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fault(err)
	}
	first := make(map[string]bool, len(fresh))
	for _, id := range fresh {
		first[id] = true
	}
	return first, nil
}
