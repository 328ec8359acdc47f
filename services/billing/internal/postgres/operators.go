package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/operators"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/subscriptions"
)

// Operate does what an admin asks for with the record of it, once: a key that was used for the same answers what came of it then.
func (s *Store) Operate(ctx context.Context, a operators.Act) (changed int64, err error) {
	err = s.asMember(ctx, a.UID, func(ctx context.Context, tx pgx.Tx) error {
		done, err := s.queries.OperatorAct(ctx, tx, a.Key)
		if err == nil {
			if (operators.Act{
				Key: done.Key, UID: done.Uid, Actor: done.Actor, Kind: operators.Kind(done.Act), Amount: done.Amount, Reason: done.Reason,
			}) != a {
				return credits.ErrKeyReused
			}
			changed = done.Changed
			return nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		m, err := s.queries.Member(ctx, tx, a.UID)
		if err == nil && !m.Known {
			err = operators.ErrNoMember
		}
		if err == nil {
			changed, err = s.operate(ctx, tx, a)
		}
		if err != nil {
			return err
		}
		return s.queries.AddOperatorAct(ctx, tx, sqlcgen.AddOperatorActParams{
			Key: a.Key, Act: sqlcgen.ActOfOperator(a.Kind), Uid: a.UID, Actor: a.Actor, Amount: a.Amount, Changed: changed, Reason: a.Reason, At: s.now(),
		})
	})
	return changed, err
}

func (s *Store) operate(ctx context.Context, tx pgx.Tx, a operators.Act) (int64, error) {
	switch a.Kind {
	case operators.ResetToTrial:
		return s.resetToTrial(ctx, tx, a)
	case operators.EndSubscription:
		return s.endByOperator(ctx, tx, a)
	case operators.CorrectCredits:
	}
	if a.Amount < 0 {
		return s.correctDown(ctx, tx, a)
	}
	_, err := s.Grant(ctx, tx, credits.Grant{UID: a.UID, Pool: credits.TopUpPool, Amount: a.Amount, Cause: a.Cause(), Description: a.Reason})
	return a.Amount, err
}

// correctDown takes what is unspent of so many credits, and says below 0 how many those were.
func (s *Store) correctDown(ctx context.Context, tx pgx.Tx, a operators.Act) (taken int64, err error) {
	err = s.taken(ctx, tx, a, reversed, &taken, `SELECT outcome, taken FROM take_credits($1, $2, $3, $4, $5)`,
		a.UID, -a.Amount, "reversal:"+a.Cause(), a.Reason)
	if err == nil && taken == 0 {
		err = s.note(ctx, tx, a.UID, credits.Corrected, "reversal:"+a.Cause(), a.Reason)
	}
	return -taken, err
}

// endCredits ends what is left of the plan's credits.
func (s *Store) endCredits(ctx context.Context, tx pgx.Tx, a operators.Act) (ended int64, err error) {
	err = s.taken(ctx, tx, a, expired, &ended, `SELECT outcome, ended FROM end_plan($1, $2, $3, $4)`, a.UID, a.Cause(), a.Reason)
	if err == nil && ended == 0 {
		err = s.note(ctx, tx, a.UID, credits.PlanEnded, a.Cause(), a.Reason)
	}
	return ended, err
}

// note tells a member's ledger of an act that moved no credits, once by its cause.
func (s *Store) note(ctx context.Context, tx pgx.Tx, uid uuid.UUID, kind credits.Kind, cause, description string) error {
	now := s.now()
	_, err := s.settled(ctx, tx, uid, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, `SELECT note_act($1, $2, $3, $4, $5)`, uid, kind, cause, description, now).Scan(&outcome)
		return outcome, err
	})
	return err
}

// taken calls a SQL function that takes credits, whose last argument is the moment.
func (s *Store) taken(ctx context.Context, tx pgx.Tx, a operators.Act, change string, n *int64, sql string, args ...any) error {
	now := s.now()
	_, err := s.settled(ctx, tx, a.UID, now, func() (outcome string, err error) {
		err = tx.QueryRow(ctx, sql, append(args, now)...).Scan(&outcome, n)
		return outcome, err
	})
	if err == nil {
		s.metrics.moved(ctx, change, *n)
	}
	return err
}

// endByOperator ends a member's plan as if it had begun long ago: its credits, and at the provider what is paid every period. It says
// below 0 how many credits those were.
func (s *Store) endByOperator(ctx context.Context, tx pgx.Tx, a operators.Act) (int64, error) {
	sub, err := s.queries.SubscriptionForOperator(ctx, tx, a.UID)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, operators.ErrNoSubscription
	}
	if err != nil {
		return 0, err
	}
	ended, err := s.endCredits(ctx, tx, a)
	if err != nil {
		return 0, err
	}
	return -ended, s.endPlanOf(ctx, tx, a.UID, sub, sub.StartsAt.Add(-operators.Back))
}

// endPlanOf ends a plan now, and tells of it unless it has ended before.
func (s *Store) endPlanOf(ctx context.Context, tx pgx.Tx, uid uuid.UUID, sub sqlcgen.SubscriptionForOperatorRow, starts time.Time) error {
	now := s.now()
	at := now
	if sub.EndsAt.Before(now) {
		at = sub.EndsAt
	}
	if err := s.queries.EndAtOnce(ctx, tx, sqlcgen.EndAtOnceParams{Uid: uid, StartsAt: starts, EndsAt: at, EndedAt: now}); err != nil {
		return err
	}
	if sub.ProviderID != "" {
		if err := s.work.EndMembership(ctx, tx, sub.ProviderID); err != nil {
			return err
		}
	}
	switch {
	case sub.EndedAt != nil:
		return nil
	case plans.Kind(sub.PlanKind) == plans.Trial:
		return s.outbox.Add(ctx, tx, events.TrialEnded(uid))
	}
	return s.outbox.Add(ctx, tx, events.SubscriptionCancelled(uid, sub.ProviderID, sub.PlanID, sub.PlanName, string(subscriptions.Operator)))
}

// resetToTrial begins another trial. Its grant has the operator act's cause, which differs from that of the first trial. A paid membership
// ends.
func (s *Store) resetToTrial(ctx context.Context, tx pgx.Tx, a operators.Act) (int64, error) {
	plan, err := s.queries.TrialPlan(ctx, tx)
	if err != nil {
		return 0, err
	}
	sub, err := s.queries.SubscriptionForOperator(ctx, tx, a.UID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
	case err == nil && sub.ProviderID != "":
		err = s.endPlanOf(ctx, tx, a.UID, sub, sub.StartsAt.Add(-operators.Back))
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return 0, err
	}
	starts := s.now()
	ends := starts.Add(time.Duration(plan.TrialDays) * plans.Day)
	if _, err := s.Grant(ctx, tx, credits.Grant{
		UID: a.UID, Pool: credits.PlanPool, Amount: plan.TrialCredits, Cause: a.Cause(), ExpiresAt: ends, Description: a.Reason,
	}); err != nil {
		return 0, err
	}
	if err := s.queries.SetTrial(ctx, tx, sqlcgen.SetTrialParams{Uid: a.UID, PlanID: plan.ID, StartsAt: starts, EndsAt: ends}); err != nil {
		return 0, err
	}
	return plan.TrialCredits, s.outbox.Add(ctx, tx, events.TrialStarted(a.UID, starts, ends, plan.TrialCredits, false))
}
