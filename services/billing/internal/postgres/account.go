package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Account reads a member's plan and credits as they are now. One round trip, except when
// something of the member's is due and settled first.
func (s *Store) Account(ctx context.Context, uid uuid.UUID) (credits.Account, error) {
	var row sqlcgen.AccountRow
	now := s.now()
	_, err := s.settled(ctx, s.db, uid, now, func() (outcome string, err error) {
		row, err = s.queries.Account(ctx, s.db, uid)
		if row.NextDue != nil && !row.NextDue.After(now) {
			outcome = due
		}
		return outcome, err
	})
	if err != nil {
		return credits.Account{}, err
	}
	account := toAccount(row)
	account.ChangesAt = changesAt(row, now)
	return account, nil
}

// changesAt is the first moment after now at which a hold or the credits end, or the plan begins or ends.
func changesAt(row sqlcgen.AccountRow, now time.Time) time.Time {
	var first time.Time
	for _, at := range []*time.Time{row.NextDue, row.StartsAt, row.EndsAt, row.AccessUntil} {
		if at != nil && at.After(now) && (first.IsZero() || at.Before(first)) {
			first = at.UTC()
		}
	}
	return first
}

func toAccount(row sqlcgen.AccountRow) credits.Account {
	var a credits.Account
	if row.PlanID != nil {
		a.Subscription = &plans.Subscription{
			PlanID: *row.PlanID, PlanName: *row.PlanName, PlanKind: plans.Kind(*row.PlanKind),
			PlanDescription: text(row.PlanDescription), PlanEntitlements: row.Entitlements, StartsAt: row.StartsAt.UTC(), EndsAt: row.EndsAt.UTC(),
			Renews: *row.Renews, HadTrial: *row.HadTrial, PriceID: text(row.PriceID), Amount: *row.Amount, Currency: text(row.Currency),
			PeriodCredits: *row.PeriodCredits, GrantedCredits: row.Granted, PaymentFailedAt: moment(row.FailedAt), NextAttempt: moment(row.NextAttempt), EndedAt: moment(row.EndedAt),
		}
		if row.Period != nil {
			a.Subscription.Period = string(*row.Period)
		}
	}
	if row.PlanAvailable != nil {
		a.Balance = credits.Balance{
			PlanAvailable: *row.PlanAvailable, TopUpAvailable: *row.TopUpAvailable, Held: *row.PlanHeld + *row.TopUpHeld,
		}
	}
	return a
}

// Entries reads up to most lines of a member's ledger from the newest, below that place.
func (s *Store) Entries(ctx context.Context, uid uuid.UUID, below credits.Place, most int32) ([]credits.Entry, error) {
	// Settled first, so that the ledger never lacks an expiry whose time has come.
	if _, err := s.Account(ctx, uid); err != nil {
		return nil, err
	}
	rows, err := s.queries.Entries(ctx, s.db, sqlcgen.EntriesParams{
		Uid: uid, NewestEntry: below.NewestEntry(), BelowPosition: below.Position, BelowNumber: below.Number, Most: most,
	})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	entries := make([]credits.Entry, len(rows))
	for i, row := range rows {
		entries[i] = toEntry(row)
	}
	return entries, nil
}

// maxOpenHolds is how many of a member's open holds are shown.
const maxOpenHolds = 50

// OpenHolds are a member's open holds, the newest first. Expired holds are among them until the member's credits are settled: the caller
// reads the account or the entries first, which settles them.
func (s *Store) OpenHolds(ctx context.Context, uid uuid.UUID) ([]credits.OpenHold, error) {
	rows, err := s.queries.OpenHoldsOfMember(ctx, s.db, sqlcgen.OpenHoldsOfMemberParams{Uid: uid, Most: maxOpenHolds})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	holds := make([]credits.OpenHold, len(rows))
	for i, row := range rows {
		holds[i] = credits.OpenHold{At: row.CreatedAt.UTC(), Plan: row.PlanCredits, TopUp: row.TopUpCredits, Reference: row.Reference}
	}
	return holds, nil
}

// toEntry reads the two accounts from the member's side.
func toEntry(row sqlcgen.EntriesRow) credits.Entry {
	e := credits.Entry{
		Position: row.Position, Number: row.Number, Cause: row.Cause, At: row.At.UTC(), BalanceAfter: row.BalanceAfter,
		Description: row.Description, Reference: row.Reference, Plan: row.PlanCredits, TopUp: row.TopUpCredits,
	}
	from, to := sqlcgen.Account(row.FromAccount), sqlcgen.Account(row.ToAccount)
	switch {
	case row.Note != "":
		e.Kind = credits.Kind(row.Note)
		e.Pool = poolOf(e)
	case from == sqlcgen.AccountIssued:
		e.Change, e.Pool, e.Kind = row.Amount, credits.Pool(to), credits.Granted
	case from == sqlcgen.AccountSpent:
		e.Change, e.Pool, e.Kind = row.Amount, credits.Pool(to), credits.Refunded
	case to == sqlcgen.AccountExpired:
		e.Change, e.Pool, e.Kind = -row.Amount, credits.Pool(from), credits.Expired
	case to == sqlcgen.AccountIssued:
		e.Change, e.Pool, e.Kind = -row.Amount, credits.Pool(from), credits.Reversed
	default:
		e.Change, e.Pool, e.Kind = -row.Amount, credits.Pool(from), credits.Spent
	}
	return e
}

// poolOf is what a note is about: where it moved none a plan's credits, unless it is a reward, or a correction, which is of either. It is
// empty where it is both.
func poolOf(e credits.Entry) credits.Pool {
	switch {
	case e.Kind == credits.Corrected || e.Plan > 0 && e.TopUp > 0:
		return ""
	case e.Kind == credits.RewardTakenBack || e.TopUp > 0:
		return credits.TopUpPool
	}
	return credits.PlanPool
}
