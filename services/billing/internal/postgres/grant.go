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

// StartTrial starts the member's free trial in the caller's transaction, once per member and once per
// mailbox for all time. The trial begins now, not when the address was confirmed: a member loses no day of it
// to a broker that was away. mailboxKey is identity's; without one, in events of before there were any, the
// member alone is looked at.
//
// A further member of the mailbox has the trial that it had, ended: no credits and no entitlements, and
// everything that reads a trial that is over is right for them as well.
//
// Who came by the invitation of another member who is here has the longer trial, and both are rewarded later. A mailbox that has had
// its trial is nobody's new friend.
func (s *Store) StartTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, mailboxKey []byte, invitedBy uuid.UUID) error {
	plan, err := s.queries.TrialPlan(ctx, tx)
	if err != nil {
		return err
	}
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	starts, isNew := s.now(), true
	if len(mailboxKey) > 0 {
		noted, err := s.queries.NoteMailbox(ctx, tx, sqlcgen.NoteMailboxParams{Uid: uid, MailboxKey: mailboxKey})
		if err != nil {
			return err
		}
		isNew = noted > 0
		claimed, err := s.queries.ClaimTrial(ctx, tx, sqlcgen.ClaimTrialParams{MailboxKey: mailboxKey, StartedAt: starts})
		if err != nil {
			return err
		}
		if claimed == 0 {
			return s.endedTrial(ctx, tx, uid, plan.ID, mailboxKey, starts)
		}
	}
	invited, err := s.invited(ctx, tx, uid, mailboxKey, invitedBy)
	if err == nil && invited && isNew {
		err = s.refer(ctx, tx, uid, invitedBy)
	}
	if err != nil {
		return err
	}
	// Who has bought before the trial came keeps what they bought: its credits would take the place of the plan's.
	if bought, err := s.queries.NoteTrial(ctx, tx, uid); err != nil || bought > 0 {
		return err
	}
	days := plan.TrialDays
	if invited {
		days = plan.InvitedTrialDays
	}
	return s.beginTrial(ctx, tx, uid, plan, starts, starts.Add(time.Duration(days)*plans.Day), invited)
}

// beginTrial grants the trial's credits until its end, once.
func (s *Store) beginTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, plan sqlcgen.TrialPlanRow, starts, ends time.Time, invited bool) error {
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
	return s.outbox.Add(ctx, tx, events.TrialStarted(uid, starts, ends, plan.TrialCredits, invited))
}

// endedTrial gives a member without a plan the mailbox's trial, ended now. A member with a plan keeps it: it is the member
// whose trial it was, and the event has arrived again.
func (s *Store) endedTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, plan string, mailboxKey []byte, now time.Time) error {
	starts, err := s.queries.TrialOfMailbox(ctx, tx, mailboxKey)
	if err != nil {
		return err
	}
	if !starts.Before(now) { // by the clock of another replica
		starts = now.Add(-time.Microsecond)
	}
	_, err = s.queries.SubscribeEnded(ctx, tx, sqlcgen.SubscribeEndedParams{Uid: uid, PlanID: plan, StartsAt: starts, EndsAt: now})
	return err
}
