package postgres

import (
	"context"
	"errors"
	"maps"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
)

// GiveSound writes the fields of an entry's narration into its draft and into what readers have of it, in the caller's transaction.
// current is false, and nothing is written, when readers have another version than the one that was seen. sound gives the fields in
// the environment's default locale. Words that an editor has not published yet stay a draft. Errors: entry.ErrNotFound.
func (s *Store) GiveSound(ctx context.Context, tx pgx.Tx, by entry.Actor, seen entry.Published, sound func(locale string) entry.Fields) (current bool, err error) {
	draft, err := s.present(ctx, tx, seen.Key)
	if err != nil {
		return false, err
	}
	readers, err := s.Entry(ctx, tx, seen.Key)
	if errors.Is(err, entry.ErrNotFound) || err == nil && readers.Seq != seen.Seq {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	locale, err := s.DefaultLocale(ctx, tx, seen.Environment)
	if err != nil {
		return false, err
	}
	return true, s.giveSound(ctx, tx, by, draft, seen, sound(locale))
}

// giveSound writes the fields into the draft and into what readers have. A draft that holds more than readers have
// gives them nothing but these.
func (s *Store) giveSound(ctx context.Context, tx pgx.Tx, by entry.Actor, draft entry.Item, readers entry.Published, sound entry.Fields) error {
	changed := draft.Changed()
	draft, err := draft.Change(s.now(), entry.Draft{Fields: merge(draft.Fields, sound), Tags: draft.Tags, Concepts: draft.Concepts})
	if err != nil {
		return err
	}
	if !changed {
		if err := s.save(ctx, tx, by, draft, "update", nil); err != nil {
			return err
		}
		if draft, err = draft.Publish(s.now()); err != nil {
			return err
		}
		return s.save(ctx, tx, by, draft, "publish", s.publish)
	}
	draft.Revision++
	seen := draft
	seen.Fields, seen.Tags, seen.Concepts = merge(readers.Fields, sound), readers.Tags, readers.Concepts
	return s.save(ctx, tx, by, draft, "update", func(ctx context.Context, tx pgx.Tx, _ entry.Item) error {
		return s.publish(ctx, tx, seen)
	})
}

func merge(fields, more entry.Fields) entry.Fields {
	merged := maps.Clone(fields)
	maps.Copy(merged, more)
	return merged
}
