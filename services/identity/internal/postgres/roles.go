package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ account.RoleStore = (*Store)(nil)

// SetAdmin decides under the account's lock, so that of many at once one is the change.
func (s *Store) SetAdmin(ctx context.Context, usernameKey string, c account.RoleChange) (changed bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		changed = false
		a, err := s.queries.LockAccountByUsername(ctx, tx, sqlcgen.LockAccountByUsernameParams{UsernameKey: usernameKey, Now: c.At})
		if err != nil {
			return missing(err, account.ErrUserNotFound)
		}
		if a.ConfirmedAt == nil {
			return account.ErrUserNotFound
		}
		if a.Admin == c.Granted {
			return nil
		}
		changed = true
		return s.changeAdmin(ctx, tx, a, c)
	})
	return changed, err
}

func (s *Store) changeAdmin(ctx context.Context, tx pgx.Tx, a sqlcgen.Account, c account.RoleChange) error {
	if err := s.queries.SetAdmin(ctx, tx, sqlcgen.SetAdminParams{Uid: a.Uid, Admin: c.Granted}); err != nil {
		return err
	}
	err := s.queries.InsertRoleChange(ctx, tx, sqlcgen.InsertRoleChangeParams{
		Uid: a.Uid, Role: account.RoleAdmin, Granted: c.Granted, ChangedBy: c.By, Note: c.Note, ChangedAt: c.At,
	})
	if err != nil {
		return err
	}
	return s.outbox.Add(ctx, tx, adminChanged(a.Uid, c.Granted))
}
