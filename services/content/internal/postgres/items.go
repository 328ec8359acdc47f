package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Item reads a draft. It returns entry.ErrNotFound when the draft does not exist.
func (s *Store) Item(ctx context.Context, key entry.Key) (entry.Item, error) {
	row, err := s.queries.Item(ctx, s.db, sqlcgen.ItemParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
	return found(row, err)
}

func found(row sqlcgen.Item, err error) (entry.Item, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return entry.Item{}, entry.ErrNotFound
	}
	if err != nil {
		return entry.Item{}, postgres.Translate(err, nil)
	}
	return toItem(row)
}

// Create makes a draft.
func (s *Store) Create(ctx context.Context, by entry.Actor, key entry.Key, contentType string, d entry.Draft) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if item, err = s.checkDraft(ctx, tx, by.Touch(entry.New(s.now(), key, contentType, d), s.now())); err != nil {
			return err
		}
		return s.insert(ctx, tx, by, item)
	})
	return item, err
}

// Update changes the draft whose version the caller saw. Readers get it when it is published.
func (s *Store) Update(ctx context.Context, by entry.Actor, key entry.Key, version int, d entry.Draft) (entry.Item, error) {
	return s.step(ctx, by, key, version, "update", func(ctx context.Context, tx pgx.Tx, i entry.Item, at time.Time) (entry.Item, error) {
		i, err := i.Change(at, d)
		if err != nil {
			return i, err
		}
		return s.checkDraft(ctx, tx, i)
	}, nil)
}

// Publish gives readers what the draft holds.
func (s *Store) Publish(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error) {
	return s.step(ctx, by, key, version, "publish", plain(entry.Item.Publish), s.publish)
}

// Unpublish takes it from the readers.
func (s *Store) Unpublish(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error) {
	return s.step(ctx, by, key, version, "unpublish", plain(entry.Item.Unpublish), s.withdraw)
}

// Archive puts a draft away.
func (s *Store) Archive(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error) {
	return s.step(ctx, by, key, version, "archive", plain(entry.Item.Archive), nil)
}

// Unarchive takes it out again.
func (s *Store) Unarchive(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error) {
	return s.step(ctx, by, key, version, "unarchive", plain(entry.Item.Unarchive), nil)
}

// Delete removes a draft for good. The audit log keeps its fields.
func (s *Store) Delete(ctx context.Context, by entry.Actor, key entry.Key, version int) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		item, err := s.locked(ctx, tx, key, version)
		if err != nil {
			return err
		}
		if err := item.Delete(); err != nil {
			return err
		}
		if err := s.queries.DeleteItem(ctx, tx, sqlcgen.DeleteItemParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID}); err != nil {
			return err
		}
		return s.note(ctx, tx, by, item, "delete", s.now())
	})
}

// change is what a step makes of an item; then is what follows from it for readers, nil for nothing.
type (
	change func(ctx context.Context, tx pgx.Tx, i entry.Item, at time.Time) (entry.Item, error)
	then   func(ctx context.Context, tx pgx.Tx, i entry.Item) error
)

// plain is a step that looks at nothing but the item.
func plain(step func(entry.Item, time.Time) (entry.Item, error)) change {
	return func(_ context.Context, _ pgx.Tx, i entry.Item, at time.Time) (entry.Item, error) { return step(i, at) }
}

func (s *Store) step(ctx context.Context, by entry.Actor, key entry.Key, version int, act string, c change, follow then) (item entry.Item, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := s.locked(ctx, tx, key, version)
		if err != nil {
			return err
		}
		at := s.now()
		if item, err = c(ctx, tx, before, at); err != nil {
			return err
		}
		return s.save(ctx, tx, by, by.Touch(item, at), act, follow)
	})
	return item, err
}

// locked reads and locks the draft until the transaction ends. It returns entry.ErrVersion for another version.
func (s *Store) locked(ctx context.Context, tx pgx.Tx, key entry.Key, version int) (entry.Item, error) {
	item, err := s.present(ctx, tx, key)
	if err == nil && item.Version != version {
		err = entry.ErrVersion
	}
	return item, err
}

// present reads and locks the draft until the transaction ends, whatever its version.
func (s *Store) present(ctx context.Context, tx pgx.Tx, key entry.Key) (entry.Item, error) {
	row, err := s.queries.LockItem(ctx, tx, sqlcgen.LockItemParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
	return found(row, err)
}

// save writes the item as it is after the act, and what follows from that.
func (s *Store) save(ctx context.Context, tx pgx.Tx, by entry.Actor, i entry.Item, act string, follow then) error {
	row, err := fromItem(i)
	if err != nil {
		return err
	}
	err = s.queries.UpdateItem(ctx, tx, sqlcgen.UpdateItemParams{
		Environment: row.Environment, Kind: row.Kind, ID: row.ID, Version: row.Version, PublishedVersion: row.PublishedVersion,
		Revision: row.Revision, Fields: row.Fields, Tags: row.Tags, Concepts: row.Concepts, UpdatedAt: row.UpdatedAt,
		FirstPublishedAt: row.FirstPublishedAt, ArchivedAt: row.ArchivedAt, Seed: row.Seed, SeedHash: row.SeedHash, EditedAt: row.EditedAt, Title: row.Title, DeletedAt: row.DeletedAt,
	})
	if err != nil {
		return err
	}
	if err := s.note(ctx, tx, by, i, act, i.UpdatedAt); err != nil || follow == nil {
		return err
	}
	return follow(ctx, tx, i)
}

// insert writes a new item; entry.ErrExists where there is one.
func (s *Store) insert(ctx context.Context, tx pgx.Tx, by entry.Actor, i entry.Item) error {
	row, err := fromItem(i)
	if err != nil {
		return err
	}
	n, err := s.queries.InsertItem(ctx, tx, sqlcgen.InsertItemParams(row))
	if err != nil {
		return err
	}
	if n == 0 {
		return entry.ErrExists
	}
	return s.note(ctx, tx, by, i, "create", i.CreatedAt)
}

// inTx runs fn in one transaction, and tells of faults as refusals.
func (s *Store) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return entry.Refusal(postgres.Translate(postgres.InTx(ctx, s.db, fn), nil))
}
