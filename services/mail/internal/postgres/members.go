package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
)

// Remember keeps whom a member's letters go to, in the caller's transaction. A member who has left is not remembered again.
func (s *Store) Remember(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p letters.Person) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	return s.queries.Remember(ctx, tx, sqlcgen.RememberParams{Uid: uid, Email: p.Email, GivenName: p.GivenName, Member: fingerprint(uid)})
}

// Member is whom a member's letters go to. Errors: letters.ErrDeparted; letters.ErrUnknown for one of whom nothing was told yet.
func (s *Store) Member(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (letters.Person, error) {
	row, err := s.queries.Member(ctx, tx, uid)
	if !errors.Is(err, pgx.ErrNoRows) {
		return letters.Person{Email: row.Email, GivenName: row.GivenName}, err
	}
	departed, err := s.queries.HasDeparted(ctx, tx, fingerprint(uid))
	switch {
	case err != nil:
		return letters.Person{}, err
	case departed:
		return letters.Person{}, letters.ErrDeparted
	}
	return letters.Person{}, fmt.Errorf("member %s: %w", uid, letters.ErrUnknown)
}

// Forget removes a member's address and name, and none comes back. Letters that wait are sent still: they tell what was done
// before.
func (s *Store) Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := s.queries.Depart(ctx, tx, sqlcgen.DepartParams{Member: fingerprint(uid), At: s.now()}); err != nil {
		return err
	}
	return s.queries.Forget(ctx, tx, uid)
}

// fingerprint is how it is noted that a member has left, without their uid.
func fingerprint(uid uuid.UUID) []byte {
	sum := sha256.Sum256(uid[:])
	return sum[:]
}
