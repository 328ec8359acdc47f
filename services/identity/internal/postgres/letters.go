package postgres

import (
	"context"
	"errors"

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
	key := row.Account.EmailKey
	if l.Code.Kind == account.CodeAddressNew || l.Code.Kind == account.CodeAddressPresent {
		if l.Change, err = s.AddressChange(ctx, row.Account.Uid); errors.Is(err, account.ErrNoChange) {
			return jobs.Letter{}, account.ErrUserNotFound.Because(err)
		}
		l.Reserved, key = l.Change.Reserved && l.Code.Kind == account.CodeAddressNew, l.Change.EmailKey
	}
	if err != nil || !l.Reserved {
		return l, err
	}
	owner, err := s.queries.ConfirmedAccountByEmail(ctx, s.db, key)
	l.Owner = accountOf(owner)
	return l, missing(err, account.ErrUserNotFound)
}
