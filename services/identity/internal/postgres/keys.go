package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ keys.Store = (*Store)(nil)

// SigningKeys are the newest key of each algorithm that has one.
func (s *Store) SigningKeys(ctx context.Context) ([]keys.Stored, error) {
	newest, err := s.signingKeys(ctx, s.db)
	return newest, translate(err)
}

func (s *Store) signingKeys(ctx context.Context, db sqlcgen.DBTX) ([]keys.Stored, error) {
	rows, err := s.queries.SigningKeys(ctx, db)
	newest := make([]keys.Stored, 0, len(rows))
	for _, k := range rows {
		newest = append(newest, keys.Stored{ID: k.ID, Algorithm: keys.Algorithm(k.Algorithm), Sealed: k.Sealed, Public: k.Public, CreatedAt: k.CreatedAt})
	}
	return newest, err
}

// PublishedKeys are the keys whose tokens are still good.
func (s *Store) PublishedKeys(ctx context.Context, now time.Time) ([]keys.Stored, error) {
	rows, err := s.queries.PublishedKeys(ctx, s.db, now)
	if err != nil {
		return nil, translate(err)
	}
	published := make([]keys.Stored, 0, len(rows))
	for _, k := range rows {
		published = append(published, keys.Stored{ID: k.ID, Algorithm: keys.Algorithm(k.Algorithm), Public: k.Public, CreatedAt: k.CreatedAt})
	}
	return published, nil
}

// AddKey lets one replica decide at a time.
func (s *Store) AddKey(ctx context.Context, algorithm keys.Algorithm, retire time.Time, decide func(keys.Stored, bool) (*keys.Stored, error)) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockKeys(ctx, tx); err != nil {
			return err
		}
		all, err := s.signingKeys(ctx, tx)
		if err != nil {
			return err
		}
		var newest keys.Stored
		for _, k := range all {
			if k.Algorithm == algorithm {
				newest = k
			}
		}
		k, err := decide(newest, newest.ID != "")
		if err != nil || k == nil {
			return err
		}
		return s.insertKey(ctx, tx, algorithm, *k, retire)
	})
}

// insertKey adds a key to its algorithm's table, and has the others there retire.
func (s *Store) insertKey(ctx context.Context, tx pgx.Tx, algorithm keys.Algorithm, k keys.Stored, retire time.Time) error {
	switch algorithm {
	case keys.RS256:
		err := s.queries.InsertKey(ctx, tx, sqlcgen.InsertKeyParams{ID: k.ID, Sealed: k.Sealed, Public: k.Public, CreatedAt: k.CreatedAt})
		if err != nil {
			return err
		}
		return s.queries.RetireOtherKeys(ctx, tx, sqlcgen.RetireOtherKeysParams{ID: k.ID, RetiresAt: &retire})
	case keys.ES256:
		err := s.queries.InsertES256Key(ctx, tx, sqlcgen.InsertES256KeyParams{ID: k.ID, Sealed: k.Sealed, Public: k.Public, CreatedAt: k.CreatedAt})
		if err != nil {
			return err
		}
		return s.queries.RetireOtherES256Keys(ctx, tx, sqlcgen.RetireOtherES256KeysParams{ID: k.ID, RetiresAt: &retire})
	}
	return fmt.Errorf("there is no table for keys of %q", algorithm)
}
