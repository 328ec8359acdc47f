package postgres

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/jobs"
)

var _ jobs.Letters = (*Store)(nil)

// Letter finds what the mail of a code needs to know.
func (s *Store) Letter(ctx context.Context, codeID uuid.UUID) (jobs.Letter, error) {
	row, err := s.queries.CodeForMail(ctx, s.db, codeID)
	if err != nil {
		return jobs.Letter{}, missing(err, account.ErrUserNotFound)
	}
	l := jobs.Letter{Code: codeOf(row.Code), Account: accountOf(row.Account), Reserved: row.Account.Reserved}
	if l.Reserved {
		owner, err := s.queries.ConfirmedAccountByEmail(ctx, s.db, row.Account.EmailKey)
		if err != nil {
			return jobs.Letter{}, missing(err, account.ErrUserNotFound)
		}
		l.Owner = accountOf(owner)
	}
	return l, nil
}
