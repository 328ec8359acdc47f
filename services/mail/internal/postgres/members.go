package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
)

// Remember keeps whom a member's letters go to, in the caller's transaction: the address has just been confirmed, so what was
// known against it is of before. A member who has left is not remembered again.
func (s *Store) Remember(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p letters.Person, at time.Time) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := s.queries.Unsuppress(ctx, tx, letters.AddressHash(p.Email)); err != nil {
		return err
	}
	return s.remember(ctx, tx, uid, p, at)
}

func (s *Store) remember(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p letters.Person, at time.Time) error {
	return s.queries.Remember(ctx, tx, sqlcgen.RememberParams{Uid: uid, Email: p.Email, GivenName: p.GivenName, At: at, Member: erasure.Fingerprint(uid)})
}

// Change keeps another address or name of a member; an empty one stays as it is. An address has been proved, as in Remember. Of a
// member who has left nothing is kept. Errors: letters.ErrUnknown for one of whom nothing was told yet.
func (s *Store) Change(ctx context.Context, tx pgx.Tx, uid uuid.UUID, to letters.Person, at time.Time) error {
	p, err := s.Member(ctx, tx, uid)
	if errors.Is(err, letters.ErrDeparted) {
		return nil
	}
	if err != nil {
		return err
	}
	if to.Email != "" {
		if err := s.queries.Unsuppress(ctx, tx, letters.AddressHash(to.Email)); err != nil {
			return err
		}
	}
	p.Email, p.GivenName = cmp.Or(to.Email, p.Email), cmp.Or(to.GivenName, p.GivenName)
	return s.remember(ctx, tx, uid, p, at)
}

// Member is whom a member's letters go to; until the commit they are not forgotten, and what is written to them goes with them then.
// Errors: letters.ErrDeparted; letters.ErrUnknown for one of whom nothing was told yet.
func (s *Store) Member(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (letters.Person, error) {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return letters.Person{}, err
	}
	row, err := s.queries.Member(ctx, tx, uid)
	if !errors.Is(err, pgx.ErrNoRows) {
		return letters.Person{Email: row.Email, GivenName: row.GivenName}, err
	}
	departed, err := erasure.HasDeparted(ctx, tx, uid)
	switch {
	case err != nil:
		return letters.Person{}, err
	case departed:
		return letters.Person{}, letters.ErrDeparted
	}
	return letters.Person{}, fmt.Errorf("member %s: %w", uid, letters.ErrUnknown)
}

// Forget removes a member's address, name, wishes and letters, and none comes back. What waits is not sent: there was a fortnight for
// it.
func (s *Store) Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := erasure.Depart(ctx, tx, uid, s.now()); err != nil {
		return err
	}
	if err := s.forgetWishes(ctx, tx, uid); err != nil {
		return err
	}
	return errors.Join(s.queries.ForgetMails(ctx, tx, uid.String()), s.queries.ForgetLeaving(ctx, tx, uid), s.queries.Forget(ctx, tx, uid))
}

// Leave notes that a member has asked for the account to be deleted, or stays after all, whichever was told last.
func (s *Store) Leave(ctx context.Context, tx pgx.Tx, uid uuid.UUID, leaves bool, at time.Time) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	return s.queries.Leave(ctx, tx, sqlcgen.LeaveParams{Uid: uid, Leaves: leaves, At: at, Member: erasure.Fingerprint(uid)})
}

// Agree notes that a member has agreed to marketing, or has taken that back, whichever was said last. Letters of such a kind that
// wait are judged by it when they are sent.
func (s *Store) Agree(ctx context.Context, tx pgx.Tx, uid uuid.UUID, given bool, at time.Time) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	return s.queries.Agree(ctx, tx, sqlcgen.AgreeParams{Uid: uid, Given: given, At: at, Member: erasure.Fingerprint(uid)})
}

func (s *Store) forgetWishes(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	topics := letters.Topics(uid)
	if err := s.Overtake(ctx, tx, s.now(), topics...); err != nil {
		return err
	}
	return errors.Join(s.queries.ForgetTopics(ctx, tx, topics), s.queries.ForgetDeclined(ctx, tx, uid), s.queries.ForgetAgreed(ctx, tx, uid), s.queries.ForgetInvitations(ctx, tx, uid))
}
