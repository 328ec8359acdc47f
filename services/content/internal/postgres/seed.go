package postgres

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
)

// Seeding is who brings the editors' files into the database.
var Seeding = entry.Actor{Name: "seed"}

// Seed is what a file says of one item.
type Seed struct {
	entry.Key
	ContentType string
	Draft       entry.Draft
	File        string
	Hash        []byte // of what the file says, so that only what has changed is written
}

// Apply creates and publishes the item that a file describes, or updates the item that an earlier version of the file
// created. It returns whether it changed anything: it leaves alone an item that an editor has edited, archived or deleted
// since. It also keeps the values of fields that the content type has disabled, since the service writes these.
func (s *Store) Apply(ctx context.Context, seed Seed) (applied bool, err error) {
	for {
		applied, err = s.apply(ctx, seed)
		if !errors.Is(err, entry.ErrExists) {
			return applied, err
		}
		// Another replica has just made it: now it is there to be looked at.
	}
}

func (s *Store) apply(ctx context.Context, seed Seed) (applied bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		applied = false
		row, err := s.queries.LockItem(ctx, tx, sqlcgen.LockItemParams{Environment: seed.Environment, Kind: string(seed.Kind), ID: seed.ID})
		if errors.Is(err, pgx.ErrNoRows) {
			applied, err = s.plant(ctx, tx, seed)
			return err
		}
		if err != nil {
			return err
		}
		item, err := toItem(row)
		if err != nil || !item.EditedAt.IsZero() || bytes.Equal(item.SeedHash, seed.Hash) {
			return err
		}
		applied = true
		return s.renew(ctx, tx, item, seed)
	})
	return applied && err == nil, err
}

// plant creates the item, unless an editor has deleted it.
func (s *Store) plant(ctx context.Context, tx pgx.Tx, seed Seed) (bool, error) {
	last, err := s.queries.LastRevision(ctx, tx, sqlcgen.LastRevisionParams{Environment: seed.Environment, Kind: string(seed.Kind), ID: seed.ID})
	if err == nil && last.Act == "delete" {
		return false, nil
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	item := entry.New(s.now(), seed.Key, seed.ContentType, seed.Draft)
	item.Seed, item.SeedHash = seed.File, seed.Hash
	if item, err = s.checkDraft(ctx, tx, item); err != nil {
		return false, err
	}
	if err := s.insert(ctx, tx, Seeding, item); err != nil {
		return false, err
	}
	_, err = s.reveal(ctx, tx, Seeding, item)
	return true, err
}

// renew gives the item what the file says now.
func (s *Store) renew(ctx context.Context, tx pgx.Tx, item entry.Item, seed Seed) error {
	t, _, err := s.rules(ctx, tx, item)
	if err != nil {
		return err
	}
	draft := seed.Draft
	draft.Fields = t.Keep(item.Fields, draft.Fields)
	changed, err := item.Change(s.now(), draft)
	if err != nil {
		return err
	}
	changed.Seed, changed.SeedHash = seed.File, seed.Hash
	if changed, err = s.checkDraft(ctx, tx, changed); err != nil {
		return err
	}
	if err := s.save(ctx, tx, Seeding, changed, "update", nil); err != nil {
		return err
	}
	_, err = s.reveal(ctx, tx, Seeding, changed)
	return err
}

// reveal publishes it in the same transaction.
func (s *Store) reveal(ctx context.Context, tx pgx.Tx, by entry.Actor, item entry.Item) (entry.Item, error) {
	published, err := item.Publish(s.now())
	if err != nil {
		return published, err
	}
	return published, s.save(ctx, tx, by, published, "publish", s.publish)
}
