package postgres

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// refusal is why a letter is not sent; empty where it is. It is asked when a letter is queued and again when it is sent.
func (s *Store) refusal(ctx context.Context, db sqlcgen.DBTX, l letters.Letter) (events.Reason, error) {
	uid, err := uuid.Parse(l.UID)
	if err != nil {
		uid = uuid.Nil // it is about nobody
	}
	kind := l.Template.Kind()
	known, err := s.queries.Refusal(ctx, db, sqlcgen.RefusalParams{Address: letters.AddressHash(l.To), Uid: uid, Kind: string(kind)})
	if err != nil {
		return "", err
	}
	switch {
	case letters.Suppression(known.Suppressed).Stops(l.Template):
		return events.Suppressed, nil
	case known.Declined, kind == letters.Invitations && known.Uninvited:
		return events.Declined, nil
	case l.Template.NeedsConsent() && !known.Agreed:
		return events.Declined, nil
	case known.Leaving && !l.Template.ToLeavers():
		return events.Declined, nil
	}
	return "", nil
}

// Wishes are which letters a member does without, and whether their address gets fewer.
type Wishes struct {
	Declined   []letters.Kind
	Suppressed bool
}

// Wishes gives a member's.
func (s *Store) Wishes(ctx context.Context, uid uuid.UUID) (w Wishes, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		w, err = s.wishes(ctx, tx, uid)
		return err
	})
	return w, postgres.Translate(err, nil)
}

func (s *Store) wishes(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (w Wishes, err error) {
	kinds, err := s.queries.Declined(ctx, tx, uid)
	for _, kind := range kinds {
		w.Declined = append(w.Declined, letters.Kind(kind))
	}
	if err != nil {
		return w, err
	}
	person, err := s.queries.Member(ctx, tx, uid)
	if noRow(err) {
		return w, nil
	}
	if err != nil {
		return w, err
	}
	known, err := s.queries.Refusal(ctx, tx, sqlcgen.RefusalParams{Address: letters.AddressHash(person.Email), Uid: uid})
	w.Suppressed = known.Suppressed != ""
	return w, err
}

// SetWishes says which letters a member does without.
func (s *Store) SetWishes(ctx context.Context, uid uuid.UUID, declined []letters.Kind) (w Wishes, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		for _, kind := range []letters.Kind{letters.Reminders, letters.Rewards} {
			if err := s.setWish(ctx, tx, uid, kind, !slices.Contains(declined, kind)); err != nil {
				return err
			}
		}
		w, err = s.wishes(ctx, tx, uid)
		return err
	})
	return w, postgres.Translate(err, nil)
}

func (s *Store) setWish(ctx context.Context, tx pgx.Tx, uid uuid.UUID, kind letters.Kind, wished bool) error {
	if wished {
		return s.queries.Wish(ctx, tx, sqlcgen.WishParams{Uid: uid, Kind: string(kind)})
	}
	return s.queries.Decline(ctx, tx, sqlcgen.DeclineParams{Uid: uid, Kind: string(kind), At: s.now(), Member: erasure.Fingerprint(uid)})
}

// Decline ends a kind of letters: a member's, or invitations to an address. Repeating it changes nothing.
func (s *Store) Decline(ctx context.Context, d letters.Reader) error {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if d.Kind == letters.Invitations {
			return s.queries.Uninvite(ctx, tx, sqlcgen.UninviteParams{Address: d.Address, At: s.now()})
		}
		if err := s.queries.LockMember(ctx, tx, d.UID.String()); err != nil {
			return err
		}
		return s.setWish(ctx, tx, d.UID, d.Kind, false)
	})
	return postgres.Translate(err, nil)
}

// HasDeclined says whether that was done before.
func (s *Store) HasDeclined(ctx context.Context, d letters.Reader) (bool, error) {
	known, err := s.queries.Refusal(ctx, s.db, sqlcgen.RefusalParams{Address: d.Address, Uid: d.UID, Kind: string(d.Kind)})
	if d.Kind == letters.Invitations {
		return known.Uninvited, postgres.Translate(err, nil)
	}
	return known.Declined, postgres.Translate(err, nil)
}

// Suppress notes that an address gets no letters, or fewer, from now on.
func (s *Store) Suppress(ctx context.Context, address string, why letters.Suppression) error {
	n, err := s.queries.Suppress(ctx, s.db, sqlcgen.SuppressParams{Address: letters.AddressHash(address), Reason: string(why), At: s.now()})
	if n > 0 {
		s.stopped(ctx, why)
	}
	return postgres.Translate(err, nil)
}
