package postgres

import (
	"context"
	"errors"
	"time"
)

// kept is how long expired codes and requests stay: a replay must be recognised, and a support
// question answered.
const kept = 24 * time.Hour

// Clean removes what has ended: lapsed sign-ups, codes, requests, sessions, grants, retired keys
// and past throttles. It says how many rows went. One table's failure does not keep the others.
func (s *Store) Clean(ctx context.Context, now time.Time) (int64, error) {
	before := now.Add(-kept)
	var total int64
	var faults []error
	for _, clean := range []func() (int64, error){
		func() (int64, error) { return s.queries.DeleteLapsedAccounts(ctx, s.db, now) },
		func() (int64, error) { return s.queries.DeleteExpiredCodes(ctx, s.db, before) },
		func() (int64, error) { return s.queries.DeleteExpiredAuthRequests(ctx, s.db, before) },
		func() (int64, error) { return s.queries.DeleteExpiredSessions(ctx, s.db, now) },
		func() (int64, error) { return s.queries.DeleteExpiredGrants(ctx, s.db, now) },
		func() (int64, error) { return s.queries.DeleteExpiredRefreshTokens(ctx, s.db, now) },
		func() (int64, error) { return s.queries.DeleteRetiredKeys(ctx, s.db, now) },
		func() (int64, error) { return s.queries.DeletePastThrottles(ctx, s.db, now) },
	} {
		n, err := clean()
		total += n
		faults = append(faults, translate(err))
	}
	return total, errors.Join(faults...)
}
