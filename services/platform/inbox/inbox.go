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
	tag, err := tx.Exec(ctx, `INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, consumer, eventID)
	if err != nil {
		return false, fmt.Errorf("record event %s: %w", eventID, err)
	}
	return tag.RowsAffected() == 1, nil
}
