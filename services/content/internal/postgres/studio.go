package postgres

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Make makes an entry in the studio and gives it to readers at once. Errors: entry.ErrExists, entry.ErrInvalid.
func (s *Store) Make(ctx context.Context, by entry.Actor, key entry.Key, contentType string, d entry.Draft) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		item = by.Touch(entry.New(s.now(), key, contentType, d), s.now())
		item.MadeAt = item.CreatedAt
		if item, err = s.checkDraft(ctx, tx, item); err != nil {
			return err
		}
		if err := s.insert(ctx, tx, by, item); err != nil {
			return err
		}
		item, err = s.reveal(ctx, tx, by, item)
		return err
	})
	return item, err
}

// Made is one page of what was made in the studio and is not done with, the newest first.
func (s *Store) Made(ctx context.Context, environment string, after Cursor, most int) ([]entry.Item, error) {
	rows, err := s.queries.ListMade(ctx, s.db, sqlcgen.ListMadeParams{
		Environment: environment, MadeAt: &after.At.Time, After: after.ID, Most: int32(most),
	})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	return toItems(rows)
}

// Unverified counts the meditations that wait for verification, among the first thousand items that need work.
func (s *Store) Unverified(ctx context.Context, environment string) (int, error) {
	n, err := s.queries.CountUnverified(ctx, s.db, environment)
	return int(n), postgres.Translate(err, nil)
}

// Verify lets members hear a meditation, whose version the caller saw, and tells others so.
func (s *Store) Verify(ctx context.Context, by entry.Actor, key entry.Key, version int) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if item, err = s.locked(ctx, tx, key, version); err != nil {
			return err
		}
		locales, err := s.locales(ctx, tx, key.Environment)
		if err != nil {
			return err
		}
		fields := maps.Clone(item.Fields)
		fields["verified"] = map[string]any{locales.Default(): true}
		if item, err = item.Change(s.now(), entry.Draft{Fields: fields, Tags: item.Tags, Concepts: item.Concepts}); err != nil {
			return err
		}
		item = by.Touch(item, item.UpdatedAt)
		if err := s.save(ctx, tx, by, item, "update", nil); err != nil {
			return err
		}
		if item, err = s.reveal(ctx, tx, by, item); err != nil {
			return err
		}
		event, told := events.Verified(item)
		return s.announce(ctx, tx, event, told)
	})
	return item, err
}

// Remove takes an entry from readers, and for good after RemovedKept. One that is removed already stays so.
func (s *Store) Remove(ctx context.Context, by entry.Actor, key entry.Key) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if item, err = s.present(ctx, tx, key); err != nil || !item.DeletedAt.IsZero() {
			return err
		}
		item = by.Touch(item, s.now())
		if item.PublishedVersion != 0 {
			if item, err = item.Unpublish(s.now()); err != nil {
				return err
			}
			if err := s.save(ctx, tx, by, item, "unpublish", s.withdraw); err != nil {
				return err
			}
		}
		if item, err = item.Remove(s.now()); err != nil {
			return err
		}
		return s.save(ctx, tx, by, item, "delete", nil)
	})
	return item, err
}

// Restore gives a removed entry back to readers. One that is not removed stays as it is.
func (s *Store) Restore(ctx context.Context, by entry.Actor, key entry.Key) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if item, err = s.present(ctx, tx, key); err != nil || item.DeletedAt.IsZero() {
			return err
		}
		if item, err = by.Touch(item, s.now()).Unarchive(s.now()); err != nil {
			return err
		}
		if err := s.save(ctx, tx, by, item, "unarchive", nil); err != nil {
			return err
		}
		item, err = s.reveal(ctx, tx, by, item)
		return err
	})
	return item, err
}
