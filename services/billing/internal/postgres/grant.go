package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
)

// Grant adds credits in the caller's transaction. It says whether the cause was new; a cause
// that has had its grant changes nothing.
func (s *Store) Grant(ctx context.Context, tx pgx.Tx, g credits.Grant) (isNew bool, err error) {
	now := s.now()
	var expires *time.Time
	if !g.ExpiresAt.IsZero() {
		expires = &g.ExpiresAt
	}
	outcome, err := s.settled(ctx, tx, g.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT grant_credits($1, $2, $3, $4, $5, $6, $7, $8)`,
			g.UID, g.Pool, g.Amount, g.Cause, expires, g.Description, g.Reference, now).Scan(&outcome)
		return outcome, err
	})
	if err != nil || outcome != "granted" {
		return false, err
	}
	s.metrics.moved(ctx, granted, g.Amount)
	return true, s.outbox.Add(ctx, tx, events.CreditsGranted(g))
}

// StartTrial starts the member's free trial in the caller's transaction, once per member for all
// time. The trial begins now, not when the address was confirmed: a member loses no day of it to
// a broker that was away.
func (s *Store) StartTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	plan, err := s.queries.TrialPlan(ctx, tx)
	if err != nil {
		return err
	}
	starts := s.now()
	ends := starts.Add(time.Duration(plan.TrialDays) * plans.Day)
	isNew, err := s.Grant(ctx, tx, credits.Grant{
		UID: uid, Pool: credits.PlanPool, Amount: plan.TrialCredits, Cause: credits.TrialCause(uid), ExpiresAt: ends,
		Description: plan.Name,
	})
	if err != nil || !isNew {
		return err
	}
	n, err := s.queries.Subscribe(ctx, tx, sqlcgen.SubscribeParams{Uid: uid, PlanID: plan.ID, StartsAt: starts, EndsAt: ends})
	if err != nil {
		return err
	}
	if n != 1 {
		return fmt.Errorf("member %s has a plan but never had a trial", uid)
	}
	return s.outbox.Add(ctx, tx, events.TrialStarted(uid, starts, ends, plan.TrialCredits))
}
