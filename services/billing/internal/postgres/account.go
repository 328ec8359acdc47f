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
	for _, at := range []*time.Time{row.NextDue, row.StartsAt, row.EndsAt} {
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
			PlanEntitlements: row.Entitlements, StartsAt: row.StartsAt.UTC(), EndsAt: row.EndsAt.UTC(),
			Renews: *row.Renews, HadTrial: *row.HadTrial,
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

// Entries reads up to most of a member's entries from the newest, below that position.
func (s *Store) Entries(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]credits.Entry, error) {
	// Settled first, so that the ledger never lacks an expiry whose time has come.
	if _, err := s.Account(ctx, uid); err != nil {
		return nil, err
	}
	rows, err := s.queries.Entries(ctx, s.db, sqlcgen.EntriesParams{Uid: uid, Below: below, Most: most})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	entries := make([]credits.Entry, len(rows))
	for i, row := range rows {
		entries[i] = toEntry(row)
	}
	return entries, nil
}

// toEntry reads the two accounts from the member's side.
func toEntry(row sqlcgen.EntriesRow) credits.Entry {
	e := credits.Entry{
		Position: row.Position, Cause: row.Cause, At: row.At.UTC(), BalanceAfter: row.BalanceAfter,
		Description: row.Description, Reference: row.Reference,
		Change: -row.Amount, Pool: credits.Pool(row.FromAccount), Kind: credits.Spent,
	}
	switch {
	case row.FromAccount == sqlcgen.AccountIssued:
		e.Change, e.Pool, e.Kind = row.Amount, credits.Pool(row.ToAccount), credits.Granted
	case row.FromAccount == sqlcgen.AccountSpent:
		e.Change, e.Pool, e.Kind = row.Amount, credits.Pool(row.ToAccount), credits.Refunded
	case row.ToAccount == sqlcgen.AccountExpired:
		e.Kind = credits.Expired
	case row.ToAccount == sqlcgen.AccountIssued:
		e.Kind = credits.Reversed
	}
	return e
}
