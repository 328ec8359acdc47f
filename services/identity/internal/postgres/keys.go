package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ keys.Store = (*Store)(nil)

// SigningKey is the newest key.
func (s *Store) SigningKey(ctx context.Context) (keys.Stored, bool, error) {
	return s.signingKey(ctx, s.db)
}

func (s *Store) signingKey(ctx context.Context, db sqlcgen.DBTX) (keys.Stored, bool, error) {
	k, err := s.queries.SigningKey(ctx, db)
	if errors.Is(err, pgx.ErrNoRows) {
		return keys.Stored{}, false, nil
	}
	return keys.Stored{ID: k.ID, Sealed: k.Sealed, Public: k.Public, CreatedAt: k.CreatedAt}, err == nil, translate(err)
}

// PublishedKeys are the keys whose tokens are still good.
func (s *Store) PublishedKeys(ctx context.Context, now time.Time) ([]keys.Stored, error) {
	rows, err := s.queries.PublishedKeys(ctx, s.db, now)
	if err != nil {
		return nil, translate(err)
	}
	published := make([]keys.Stored, 0, len(rows))
	for _, k := range rows {
		published = append(published, keys.Stored{ID: k.ID, Public: k.Public})
	}
	return published, nil
}

// AddKey lets one replica decide at a time.
func (s *Store) AddKey(ctx context.Context, retire time.Time, decide func(keys.Stored, bool) (*keys.Stored, error)) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockKeys(ctx, tx); err != nil {
			return err
		}
		newest, found, err := s.signingKey(ctx, tx)
		if err != nil {
			return err
		}
		k, err := decide(newest, found)
		if err != nil || k == nil {
			return err
		}
		err = s.queries.InsertKey(ctx, tx, sqlcgen.InsertKeyParams{ID: k.ID, Sealed: k.Sealed, Public: k.Public, CreatedAt: k.CreatedAt})
		if err != nil {
			return err
		}
		return s.queries.RetireOtherKeys(ctx, tx, sqlcgen.RetireOtherKeysParams{ID: k.ID, RetiresAt: &retire})
	})
}
