package postgres

import (
	"context"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Revision is one entry of the audit log.
type Revision struct {
	entry.Key
	// ContentType is empty for assets.
	ContentType string
	Number      int64  // in the audit log; the next page begins below it
	Title       string // of the item after the act
	Version     int    // likewise
	// Act is create, update, publish, unpublish, archive, unarchive or delete.
	Act, Actor string
	At         time.Time
	// Changed are the ids of the fields that the act has changed.
	Changed []string
}

// Revisions are one page of the item's audit log, newest first. below is the number of the last revision seen, 0 for the
// first page. search matches the beginnings of words in title, act and actor; empty matches all. Deleted items keep their
// audit log.
func (s *Store) Revisions(ctx context.Context, key entry.Key, search string, below int64, most int) ([]Revision, error) {
	rows, err := s.queries.ListRevisions(ctx, s.db, sqlcgen.ListRevisionsParams{
		Environment: key.Environment, Kind: string(key.Kind), ID: key.ID, Words: words(search), Below: orAll(below), Most: int32(most),
	})
	return toRevisions(key.Environment, rows), postgres.Translate(err, nil)
}

// nearRevisions are looked through first: most have some words, as "publish", and the index would give all of years.
const nearRevisions = 1000

// AllRevisions are Revisions of everything.
func (s *Store) AllRevisions(ctx context.Context, environment, search string, below int64, most int) ([]Revision, error) {
	if search := words(search); search != "" {
		near, err := s.queries.SearchNearRevisions(ctx, s.db, sqlcgen.SearchNearRevisionsParams{
			Environment: environment, Words: search, Below: orAll(below), Near: nearRevisions, Most: int32(most),
		})
		if err != nil || len(near) == most {
			return toRevisions(environment, near), postgres.Translate(err, nil)
		}
		rows, err := s.queries.SearchRevisions(ctx, s.db, sqlcgen.SearchRevisionsParams{
			Environment: environment, Words: search, Below: orAll(below), Most: int32(most),
		})
		return toRevisions(environment, rows), postgres.Translate(err, nil)
	}
	rows, err := s.queries.ListAllRevisions(ctx, s.db, sqlcgen.ListAllRevisionsParams{
		Environment: environment, Below: orAll(below), Most: int32(most),
	})
	return toRevisions(environment, rows), postgres.Translate(err, nil)
}

func orAll(below int64) int64 {
	if below == 0 {
		return math.MaxInt64
	}
	return below
}

func toRevisions[R sqlcgen.ListRevisionsRow | sqlcgen.ListAllRevisionsRow | sqlcgen.SearchNearRevisionsRow | sqlcgen.SearchRevisionsRow](environment string, rows []R) []Revision {
	revisions := make([]Revision, len(rows))
	for i, row := range rows {
		r := sqlcgen.ListRevisionsRow(row)
		revisions[i] = Revision{
			Key:         entry.Key{Environment: environment, Kind: entry.Kind(r.Kind), ID: r.ID},
			ContentType: r.ContentType, Number: r.Number, Title: r.Title, Version: int(r.Version), Act: r.Act, Actor: r.Actor,
			At: r.At.UTC(), Changed: r.Changed,
		}
	}
	return revisions
}

// FieldsOf returns the fields of one version of the item, or entry.ErrNotFound when the audit log does not have that version.
func (s *Store) FieldsOf(ctx context.Context, key entry.Key, version int) (entry.Fields, error) {
	row, err := s.queries.RevisionFields(ctx, s.db, sqlcgen.RevisionFieldsParams{
		Environment: key.Environment, Kind: string(key.Kind), ID: key.ID, Version: int32(version),
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, entry.ErrNotFound
	}
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	var fields entry.Fields
	return fields, columns.Parse(row.Fields, &fields, "trail of "+key.ID)
}

// note adds an entry to the audit log.
func (s *Store) note(ctx context.Context, tx pgx.Tx, by entry.Actor, i entry.Item, act string, at time.Time) error {
	row, err := fromItem(i)
	if err != nil {
		return err
	}
	var before entry.Fields
	last, err := s.queries.SupersedeRevision(ctx, tx, sqlcgen.SupersedeRevisionParams{Environment: row.Environment, Kind: row.Kind, ID: row.ID})
	switch {
	case errors.Is(err, pgx.ErrNoRows) || (err == nil && act == "create"):
	case err != nil:
		return err
	default:
		if err := columns.Parse(last, &before, "trail of "+i.ID); err != nil {
			return err
		}
	}
	return s.queries.InsertRevision(ctx, tx, sqlcgen.InsertRevisionParams{
		Environment: row.Environment, Kind: row.Kind, ID: row.ID, ContentType: i.ContentType, Title: i.Title, Version: row.Version,
		Act: act, Actor: by.Name, At: at, Fields: row.Fields, Changed: changed(before, i.Fields),
	})
}

// changed are the fields of which before and after have not the same, by id.
func changed(before, after entry.Fields) []string {
	all := maps.Clone(before)
	if all == nil {
		all = entry.Fields{}
	}
	maps.Copy(all, after)
	ids := []string{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if was, is := before[id], after[id]; len(was)+len(is) > 0 && !reflect.DeepEqual(was, is) {
			ids = append(ids, id)
		}
	}
	return ids
}
