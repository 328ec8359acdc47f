package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Environments are master and its copies, by their ids.
func (s *Store) Environments(ctx context.Context) ([]entry.Environment, error) {
	rows, err := s.queries.Environments(ctx, s.db)
	all := make([]entry.Environment, len(rows))
	for i, row := range rows {
		all[i] = entry.Environment{ID: row.ID, CreatedAt: row.CreatedAt.UTC()}
	}
	return all, postgres.Translate(err, nil)
}

// copyMaster copies all rows of master into an environment, with the last audit entry of each item, but without deleted items. It reads
// whole tables for every copy.
var copyMaster = []string{
	`INSERT INTO locales (environment, code, name, fallback_code, is_default, version)
		SELECT $1, code, name, fallback_code, is_default, version FROM locales WHERE environment = 'master'`,
	`INSERT INTO content_types (environment, id, name, description, display_field, fields, version, created_at, updated_at)
		SELECT $1, id, name, description, display_field, fields, version, created_at, updated_at FROM content_types WHERE environment = 'master'`,
	`INSERT INTO tags (environment, id, name, version, created_at, updated_at)
		SELECT $1, id, name, version, created_at, updated_at FROM tags WHERE environment = 'master'`,
	`INSERT INTO items (environment, kind, id, content_type, version, published_version, revision, fields, tags, concepts, created_at, updated_at,
			first_published_at, archived_at, title)
		SELECT $1, kind, id, content_type, version, published_version, revision, fields, tags, concepts, created_at, updated_at,
			first_published_at, archived_at, title
		FROM items WHERE environment = 'master' AND deleted_at IS NULL`,
	`INSERT INTO published (environment, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq)
		SELECT $1, kind, id, content_type, revision, version, fields, tags, concepts, created_at, first_published_at, updated_at, seq
		FROM published WHERE environment = 'master'`,
	`INSERT INTO links (environment, id, field, target_kind, target_id)
		SELECT $1, id, field, target_kind, target_id FROM links WHERE environment = 'master'`,
	`INSERT INTO revisions (environment, kind, id, version, act, actor, at, fields, content_type, title, changed)
		SELECT $1, r.kind, r.id, r.version, r.act, r.actor, r.at, r.fields, r.content_type, r.title, r.changed
		FROM revisions r JOIN items i ON i.environment = r.environment AND i.kind = r.kind AND i.id = r.id
		WHERE r.environment = 'master' AND NOT r.superseded AND i.deleted_at IS NULL ORDER BY r.number`,
}

// removeCopy removes all of an environment. Its items go before its content types, by which they are counted.
var removeCopy = []string{
	`DELETE FROM links WHERE environment = $1`,
	`DELETE FROM published WHERE environment = $1`,
	`DELETE FROM items WHERE environment = $1`,
	`DELETE FROM environments WHERE id = $1`,
	`DELETE FROM published_counts WHERE environment = $1`,
}

// maxEnvironments there are, master among them: each is as large as master, and copied under the lock of all publishing.
const maxEnvironments = 5

// wholeTables raises the statement timeout of a transaction that copies or deletes whole tables. Editors who publish at the same
// time wait at most 15 seconds and are then refused. Readers do not wait.
const wholeTables = `SET LOCAL statement_timeout = '10min'`

// CreateEnvironment makes a copy of master and records it in master's audit log. It leaves an existing environment unchanged. Errors:
// entry.ErrEnvironments.
func (s *Store) CreateEnvironment(ctx context.Context, by entry.Actor, id string) (made entry.Environment, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		// The lock stops publications, so that the copy has the items and their published versions of one moment.
		if err := s.queries.LockChanges(ctx, tx); err != nil {
			return err
		}
		n, err := s.queries.InsertEnvironment(ctx, tx, sqlcgen.InsertEnvironmentParams{ID: id, CreatedAt: s.now()})
		if err != nil {
			return err
		}
		row, err := s.queries.Environment(ctx, tx, id)
		made = entry.Environment{ID: row.ID, CreatedAt: row.CreatedAt.UTC()}
		if err != nil || n == 0 {
			return err
		}
		all, err := s.queries.CountEnvironments(ctx, tx)
		if err != nil {
			return err
		}
		if all > maxEnvironments {
			return entry.ErrEnvironments
		}
		if err := onWholeTables(ctx, tx, copyMaster, id); err != nil {
			return err
		}
		return s.noteEnvironment(ctx, tx, by, id, "create")
	})
	return made, err
}

// DeleteEnvironment removes a copy of master and records it in master's audit log. It succeeds when there is no such copy. Errors:
// entry.ErrMaster.
func (s *Store) DeleteEnvironment(ctx context.Context, by entry.Actor, id string) error {
	if id == entry.Master {
		return entry.ErrMaster
	}
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockChanges(ctx, tx); err != nil {
			return err
		}
		_, err := s.queries.LockEnvironment(ctx, tx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := onWholeTables(ctx, tx, removeCopy, id); err != nil {
			return err
		}
		return s.noteEnvironment(ctx, tx, by, id, "delete")
	})
}

func onWholeTables(ctx context.Context, tx pgx.Tx, statements []string, environment string) error {
	if _, err := tx.Exec(ctx, wholeTables); err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err := tx.Exec(ctx, statement, environment); err != nil {
			return err
		}
	}
	return nil
}

// noteEnvironment records in master's audit log what an actor did with an environment.
func (s *Store) noteEnvironment(ctx context.Context, tx pgx.Tx, by entry.Actor, id, act string) error {
	return s.note(ctx, tx, by, entry.Item{
		Key: entry.Key{Environment: entry.Master, Kind: "Environment", ID: id}, ContentType: "environment", Title: "Environment " + id, Version: 1,
		Fields: entry.Fields{},
	}, act, s.now())
}
