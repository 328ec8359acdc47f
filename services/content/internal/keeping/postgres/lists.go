package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/keeping/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

// Kept is what the member has saved and likes, at most keeping.MaxSaved of each. all counts unverified meditations too.
func (s *Store) Kept(ctx context.Context, uid uuid.UUID, all bool) (keeping.Lists, error) {
	kept, err := s.kept(ctx, s.db, uid, all)
	return kept, postgres.Translate(err, nil)
}

func (s *Store) kept(ctx context.Context, db postgres.Queryer, uid uuid.UUID, all bool) (kept keeping.Lists, err error) {
	rows, err := s.queries.ListKept(ctx, db, sqlcgen.ListKeptParams{Uid: uid, AllCards: all, Most: keeping.MaxSaved})
	for _, row := range rows {
		// Empty for a member's own. A card's times are as Go writes them.
		made, _ := time.Parse(time.RFC3339Nano, row.Made)
		one := keeping.Kept{Item: reading.Item{Kind: reading.Kind(row.Kind), ID: row.Item}, Title: row.Title, At: row.At.UTC(), CreatedAt: made}
		if row.Saved {
			kept.Saved = append(kept.Saved, one)
		} else {
			kept.Liked = append(kept.Liked, one)
		}
	}
	return kept, err
}

// ReplaceKept makes of what the member gets still of each list the one that is given; nil leaves a list as it is. Errors: keeping.ErrFull.
func (s *Store) ReplaceKept(ctx context.Context, uid uuid.UUID, all bool, saved, liked []reading.Item) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		kept, err := s.kept(ctx, tx, uid, all)
		if err != nil {
			return err
		}
		if err := s.replace(ctx, tx, kept.Saved, saved, shelf{
			add: func(i reading.Item) (int64, error) { return s.keep(ctx, tx, uid, i) },
			remove: func(i reading.Item) (int64, error) {
				return s.queries.Unsave(ctx, tx, sqlcgen.UnsaveParams{Uid: uid, Kind: string(i.Kind), Item: i.ID})
			},
			event: func(i reading.Item, on bool) outbox.Event { return events.ItemSaved(uid, i.ID, on) },
		}); err != nil {
			return err
		}
		return s.replace(ctx, tx, kept.Liked, liked, shelf{
			add: func(i reading.Item) (int64, error) { return s.like(ctx, tx, uid, i) },
			remove: func(i reading.Item) (int64, error) {
				return s.queries.Unlike(ctx, tx, sqlcgen.UnlikeParams{Uid: uid, Kind: string(i.Kind), Item: i.ID})
			},
			event: func(i reading.Item, on bool) outbox.Event { return events.ItemLiked(uid, i.ID, on) },
		})
	})
}

// shelf is how an item goes into a list and out of it; add and remove answer 0 where it was so already.
type shelf struct {
	add, remove func(reading.Item) (int64, error)
	event       func(i reading.Item, on bool) outbox.Event
}

// replace takes out what is not wanted, and then adds the rest, so that a full list makes room first.
func (s *Store) replace(ctx context.Context, tx pgx.Tx, kept []keeping.Kept, wanted []reading.Item, c shelf) error {
	if wanted == nil {
		return nil
	}
	removed, added := keeping.Difference(kept, wanted)
	if err := s.each(ctx, tx, removed, false, c.remove, c.event); err != nil {
		return err
	}
	return s.each(ctx, tx, added, true, c.add, c.event)
}

func (s *Store) each(ctx context.Context, tx pgx.Tx, items []reading.Item, on bool, do func(reading.Item) (int64, error), event func(reading.Item, bool) outbox.Event) error {
	for _, i := range items {
		n, err := do(i)
		if err != nil {
			return err
		}
		if err := s.announce(ctx, tx, event(i, on), n > 0); err != nil {
			return err
		}
	}
	return nil
}
