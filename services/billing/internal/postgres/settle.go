package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
)

// sweepSize is how many members one round of Sweep takes.
const sweepSize = 200

// settle applies what time has done to a member's credits: holds that ran out, plan credits
// that expired.
func (s *Store) settle(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, now time.Time) error {
	for range settleTries {
		done, err := s.countExpired(ctx, db, uid, func() (bool, error) { return s.settleOnce(ctx, db, uid, now) })
		if isLocked(err) {
			return errs.ErrUnavailable.Because(err)
		}
		if err != nil {
			return postgres.Translate(err, nil)
		}
		if done {
			s.outbox.Wake()
			return nil
		}
	}
	return fmt.Errorf("member %s: %w", uid, errUnsettled)
}

func (s *Store) settleOnce(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, now time.Time) (done bool, err error) {
	holds, err := s.queries.DueHolds(ctx, db, sqlcgen.DueHoldsParams{Uid: uid, Now: now})
	if err != nil {
		return false, err
	}
	ids := make([]uuid.UUID, len(holds))
	eventIDs := make([]uuid.UUID, len(holds))
	payloads := make([][]byte, len(holds))
	for i, h := range holds {
		ended := credits.Hold{ID: h.ID, UID: uid, Plan: h.PlanCredits, TopUp: h.TopUpCredits, Reference: h.Reference}
		row, err := s.outbox.Row(ctx, events.CreditsReleased(ended, events.Expired))
		if err != nil {
			return false, err
		}
		ids[i], eventIDs[i], payloads[i] = h.ID, row.ID, row.Payload
	}
	err = db.QueryRow(ctx, `SELECT settle_credits($1, $2, $3, $4, $5)`, uid, now, ids, eventIDs, payloads).Scan(&done)
	return done, err
}

// Sweep settles every member who has something due, the longest due first, and says how many. A member
// who cannot be settled keeps no other waiting.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	swept := 0
	var faults []error
	now, after := s.now(), sqlcgen.DueMembersRow{}
	for {
		members, err := s.queries.DueMembers(ctx, s.db, sqlcgen.DueMembersParams{
			Now: now, AfterAt: after.At, AfterUid: after.Uid, Most: sweepSize,
		})
		if err != nil {
			return swept, errors.Join(append(faults, postgres.Translate(err, nil))...)
		}
		for _, m := range members {
			if err := s.settle(ctx, s.db, m.Uid, now); err != nil {
				faults = append(faults, err)
				continue
			}
			swept++
		}
		if len(members) < sweepSize || ctx.Err() != nil {
			return swept, errors.Join(faults...)
		}
		after = members[len(members)-1]
	}
}
