// Package postgres keeps what members like and save.
package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/keeping/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

// Words are those of the search index.
type Words interface {
	// Spelled returns the words of the index that have one of the spellings, in no order.
	Spelled(ctx context.Context, spellings []string) ([]string, error)
}

// Store is what members like and save.
type Store struct {
	db      *pgxpool.Pool
	outbox  *outbox.Outbox
	words   Words
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, out *outbox.Outbox, words Words, now func() time.Time) *Store {
	return &Store{db: db, outbox: out, words: words, queries: sqlcgen.New(), now: now}
}

// SetLike adds the item to what the member likes or takes it out, and tells of it where that changed anything.
func (s *Store) SetLike(ctx context.Context, uid uuid.UUID, item reading.Item, liked bool) (standing reading.UserItemState, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var n int64
		if liked {
			n, err = s.like(ctx, tx, uid, item)
		} else {
			n, err = s.queries.Unlike(ctx, tx, sqlcgen.UnlikeParams{Uid: uid, Kind: string(item.Kind), Item: item.ID})
		}
		if err != nil {
			return err
		}
		standing, err = s.follow(ctx, tx, uid, item, n > 0, events.ItemLiked(uid, item.ID, liked))
		return err
	})
	return standing, err
}

// ToggleLike takes the item out of what the member likes, or adds it where it was not there; two at once do the same. refusal is
// why it may not be added, nil where it may.
func (s *Store) ToggleLike(ctx context.Context, uid uuid.UUID, item reading.Item, refusal error) (standing reading.UserItemState, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		n, err := s.queries.Unlike(ctx, tx, sqlcgen.UnlikeParams{Uid: uid, Kind: string(item.Kind), Item: item.ID})
		liked := n == 0
		if err == nil && liked {
			if refusal != nil {
				return refusal
			}
			n, err = s.like(ctx, tx, uid, item)
		}
		if err != nil {
			return err
		}
		standing, err = s.follow(ctx, tx, uid, item, n > 0, events.ItemLiked(uid, item.ID, liked))
		return err
	})
	return standing, err
}

// like adds the item; 0 where it was there, or where the member's account is deleted.
func (s *Store) like(ctx context.Context, tx pgx.Tx, uid uuid.UUID, item reading.Item) (int64, error) {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return 0, err
	}
	return s.queries.Like(ctx, tx, sqlcgen.LikeParams{Uid: uid, Kind: string(item.Kind), Item: item.ID, LikedAt: s.now(), Member: erasure.Fingerprint(uid)})
}

// SetSaved keeps the item for the member or takes it out, and says whether that changed anything. Errors:
// keeping.ErrFull.
func (s *Store) SetSaved(ctx context.Context, uid uuid.UUID, item reading.Item, saved bool) (standing reading.UserItemState, changed bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var n int64
		if saved {
			n, err = s.keep(ctx, tx, uid, item)
		} else {
			n, err = s.queries.Unsave(ctx, tx, sqlcgen.UnsaveParams{Uid: uid, Kind: string(item.Kind), Item: item.ID})
		}
		if err != nil {
			return err
		}
		changed = n > 0
		standing, err = s.follow(ctx, tx, uid, item, changed, events.ItemSaved(uid, item.ID, saved))
		return err
	})
	return standing, changed && err == nil, err
}

// keep saves the item where there is room for it; 0 where it is saved already, or the member's account is deleted.
func (s *Store) keep(ctx context.Context, tx pgx.Tx, uid uuid.UUID, item reading.Item) (int64, error) {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return 0, err
	}
	there, err := s.queries.IsSaved(ctx, tx, sqlcgen.IsSavedParams{Uid: uid, Kind: string(item.Kind), Item: item.ID})
	if err != nil || there {
		return 0, err
	}
	n, err := s.queries.CountSaved(ctx, tx, uid)
	if err != nil {
		return 0, err
	}
	if n >= keeping.MaxSaved {
		return 0, keeping.ErrFull
	}
	return s.queries.Save(ctx, tx, sqlcgen.SaveParams{Uid: uid, Kind: string(item.Kind), Item: item.ID, SavedAt: s.now(), Member: erasure.Fingerprint(uid)})
}

// follow tells of a change and answers how the item stands after it.
func (s *Store) follow(ctx context.Context, tx pgx.Tx, uid uuid.UUID, item reading.Item, changed bool, event outbox.Event) (reading.UserItemState, error) {
	if err := s.announce(ctx, tx, event, changed); err != nil {
		return reading.UserItemState{}, err
	}
	standings, err := s.Standings(ctx, tx, uid, item.Kind, item.ID)
	return standings[item.ID], err
}

// Standings are the states of items, by their ids. uid is the member's, or uuid.Nil for a visitor.
func (s *Store) Standings(ctx context.Context, db postgres.Queryer, uid uuid.UUID, kind reading.Kind, ids ...string) (map[string]reading.UserItemState, error) {
	rows, err := s.queries.Standings(ctx, db, sqlcgen.StandingsParams{Uid: uid, Kind: string(kind), Items: columns.List(ids)})
	standings := make(map[string]reading.UserItemState, len(rows))
	for _, row := range rows {
		standings[row.Item] = reading.UserItemState{Likes: int(row.Likes), Liked: row.Liked, Saved: row.Saved}
	}
	return standings, err
}

// ForgetMember removes what is kept of a member whose account was deleted, and waits for what is under way.
func (s *Store) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	if err := s.queries.DeleteSaved(ctx, tx, uid); err != nil {
		return err
	}
	return s.queries.DeleteLikes(ctx, tx, uid)
}

// ForgetBespoke removes what members did with a meditation of their own that is gone.
func (s *Store) ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if err := s.queries.DeleteBespokeSaved(ctx, tx, id.String()); err != nil {
		return err
	}
	return s.queries.DeleteBespokeLikes(ctx, tx, id.String())
}

// announce adds the event to the outbox if something changed.
func (s *Store) announce(ctx context.Context, tx pgx.Tx, event outbox.Event, changed bool) error {
	if !changed {
		return nil
	}
	return s.outbox.Add(ctx, tx, event)
}

// inTx runs fn in one transaction.
func (s *Store) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, fn), nil)
}
