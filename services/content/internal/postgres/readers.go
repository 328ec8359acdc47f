package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

// number takes the next number of a published change, and the lock that keeps these numbers in the order of commits. Every
// transaction takes this lock last, which prevents deadlocks.
func (s *Store) number(ctx context.Context, tx pgx.Tx) (int64, error) {
	if err := s.queries.LockChanges(ctx, tx); err != nil {
		return 0, err
	}
	return s.queries.NextChange(ctx, tx)
}

// publish gives readers the item as it is. What must be unique is looked for under the lock, so that no two
// transactions can publish the same value.
func (s *Store) publish(ctx context.Context, tx pgx.Tx, i entry.Item) error {
	t, locales, err := s.checkPublish(ctx, tx, i)
	if err != nil {
		return err
	}
	if err := s.queries.LockChanges(ctx, tx); err != nil {
		return err
	}
	if err := s.checkUnique(ctx, tx, t, i); err != nil {
		return err
	}
	if err := s.checkLegal(ctx, tx, i, locales.Default()); err != nil {
		return err
	}
	return s.release(ctx, tx, i, t, locales)
}

// release publishes the item to readers: it writes the item, its links, its card and its search terms, and adds the event.
func (s *Store) release(ctx context.Context, tx pgx.Tx, i entry.Item, t entry.ContentType, locales entry.Locales) error {
	seq, err := s.number(ctx, tx)
	if err != nil {
		return err
	}
	row, err := fromItem(i)
	if err != nil {
		return err
	}
	readers, err := s.queries.Publish(ctx, tx, sqlcgen.PublishParams{
		Environment: row.Environment, Kind: row.Kind, ID: row.ID, ContentType: row.ContentType, Revision: row.Revision,
		Version: int32(i.PublishedVersion), Fields: row.Fields, Tags: row.Tags, Concepts: row.Concepts, CreatedAt: row.CreatedAt,
		FirstPublishedAt: i.FirstPublishedAt, UpdatedAt: row.UpdatedAt, Seq: seq,
	})
	if err != nil {
		return err
	}
	switch {
	case !readers.Withheld:
		err = s.queries.Forget(ctx, tx, sqlcgen.ForgetParams{Environment: row.Environment, Kind: row.Kind, ID: row.ID})
	case readers.Had:
		err = s.lose(ctx, tx, i, seq)
	}
	if err != nil || i.Kind != entry.KindEntry {
		return err
	}
	if err := s.link(ctx, tx, i, t.Links(i.Fields)); err != nil {
		return err
	}
	readersGet := published(i, seq)
	if err := s.cards.SetCard(ctx, tx, readersGet, locales.Default()); err != nil {
		return err
	}
	event, told := events.Published(i, locales.Default())
	if err := s.announce(ctx, tx, event, told); err != nil {
		return err
	}
	return s.index.Show(ctx, tx, readersGet, locales.Default())
}

// published is the item as readers get it from now on.
func published(i entry.Item, seq int64) entry.Published {
	return entry.Published{
		Key: i.Key, ContentType: i.ContentType, Revision: i.Revision, Version: i.PublishedVersion, Fields: i.Fields, Tags: i.Tags,
		Concepts: i.Concepts, CreatedAt: i.CreatedAt, FirstPublishedAt: i.FirstPublishedAt, UpdatedAt: i.UpdatedAt, Seq: seq,
	}
}

// announce adds the event to the outbox if told is true.
func (s *Store) announce(ctx context.Context, tx pgx.Tx, event outbox.Event, told bool) error {
	if !told {
		return nil
	}
	return s.outbox.Add(ctx, tx, event)
}

// link replaces the stored links of the entry.
func (s *Store) link(ctx context.Context, tx pgx.Tx, i entry.Item, links []entry.FieldLink) error {
	if err := s.queries.DeleteLinks(ctx, tx, sqlcgen.DeleteLinksParams{Environment: i.Environment, ID: i.ID}); err != nil {
		return err
	}
	rows := sqlcgen.InsertLinksParams{Environment: i.Environment, ID: i.ID}
	for _, l := range links {
		rows.Fields, rows.Kinds, rows.Targets = append(rows.Fields, l.Field), append(rows.Kinds, string(l.Kind)), append(rows.Targets, l.ID)
	}
	if len(links) == 0 {
		return nil
	}
	return s.queries.InsertLinks(ctx, tx, rows)
}

// withdraw takes the item from readers, its links with it, and tells them to forget it.
func (s *Store) withdraw(ctx context.Context, tx pgx.Tx, i entry.Item) error {
	seq, err := s.number(ctx, tx)
	if err != nil {
		return err
	}
	withheld, err := s.queries.Withdraw(ctx, tx, sqlcgen.WithdrawParams{Environment: i.Environment, Kind: string(i.Kind), ID: i.ID})
	if err == nil && !withheld {
		err = s.lose(ctx, tx, i, seq)
	}
	if err != nil {
		return err
	}
	event, told := events.Withdrawn(i)
	if err := s.announce(ctx, tx, event, told); err != nil {
		return err
	}
	return s.index.Hide(ctx, tx, i.Key, i.ContentType)
}

// lose tells readers to forget an item that they had.
func (s *Store) lose(ctx context.Context, tx pgx.Tx, i entry.Item, seq int64) error {
	return s.queries.InsertDeletion(ctx, tx, sqlcgen.InsertDeletionParams{
		Environment: i.Environment, Kind: string(i.Kind), ID: i.ID, ContentType: columns.Nullable(i.ContentType), Revision: int32(i.Revision),
		CreatedAt: i.CreatedAt, DeletedAt: i.UpdatedAt, Seq: seq,
	})
}

// Published reads what readers get; entry.ErrNotFound where they get nothing.
func (s *Store) Published(ctx context.Context, key entry.Key) (entry.Published, error) {
	p, err := s.Entry(ctx, s.db, key)
	return p, postgres.Translate(err, nil)
}

// checkUnique finds a value that another published entry has.
func (s *Store) checkUnique(ctx context.Context, tx pgx.Tx, t entry.ContentType, i entry.Item) error {
	for _, u := range t.Unique(i.Fields) {
		value, err := json.Marshal(entry.Fields{u.Field: {u.Locale: u.Value}})
		if err != nil {
			return err
		}
		taken, err := s.queries.HasValue(ctx, tx, sqlcgen.HasValueParams{
			Environment: i.Environment, ContentType: &t.ID, ID: i.ID, Value: value,
		})
		if err != nil {
			return err
		}
		if taken {
			return entry.Taken(u)
		}
	}
	return nil
}

// checkLegal refuses a legal text whose version was published with other words before. It checks against the audit log, which has all
// published words, also those of withdrawn texts.
func (s *Store) checkLegal(ctx context.Context, tx pgx.Tx, i entry.Item, locale string) error {
	if !i.IsLegal() {
		return nil
	}
	row, err := fromItem(i)
	if err != nil {
		return err
	}
	otherwise, err := s.queries.SaidOtherwise(ctx, tx, sqlcgen.SaidOtherwiseParams{
		Environment: i.Environment, ContentType: i.ContentType, Locale: locale, Fields: row.Fields,
	})
	if err == nil && otherwise {
		return entry.ErrLegalVersion
	}
	return err
}

// HasFile says whether readers have an asset with that file, in an environment or, where that is empty, in any.
func (s *Store) HasFile(ctx context.Context, environment, url string) (bool, error) {
	there, err := s.queries.HasFile(ctx, s.db, sqlcgen.HasFileParams{Environment: environment, Url: url})
	return there, postgres.Translate(err, nil)
}
