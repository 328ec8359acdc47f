package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
)

// termConstraints maps the constraints of tags and concepts to the errors that callers get.
var termConstraints = map[string]*errs.Error{
	"tags_name_once": entry.ErrTermInvalid, "tags_id_check": entry.ErrTermInvalid, "tags_environment_fkey": entry.ErrNotFound,
	"concept_schemes_id_check": entry.ErrTermInvalid, "concepts_id_check": entry.ErrTermInvalid, "concepts_scheme_fkey": entry.ErrNotFound,
	"concept_broader_broader_fkey": entry.ErrNotFound, "concept_broader_check": entry.ErrTermInvalid,
}

// SetTag makes a tag (version 0) or renames the one whose version the caller saw. A name is a tag's alone.
func (s *Store) SetTag(ctx context.Context, environment string, t entry.Tag) (entry.Tag, error) {
	row, err := s.queries.SetTag(ctx, s.db, sqlcgen.SetTagParams{
		Environment: environment, ID: t.ID, Name: t.Name, Now: s.now(), Version: int32(t.Version),
	})
	return toTag(row), termError(err)
}

// ApplyTag gives a tag the name that the editors' file has for it.
func (s *Store) ApplyTag(ctx context.Context, environment string, t entry.Tag) error {
	tag := sqlcgen.ApplyTagParams{Environment: environment, ID: t.ID, Name: t.Name, Now: s.now()}
	err := termError(s.queries.ApplyTag(ctx, s.db, tag))
	if errors.Is(err, entry.ErrTermInvalid) {
		// Another replica may be making it: the statement gives way where its id is there, and may have met its name first.
		err = termError(s.queries.ApplyTag(ctx, s.db, tag))
	}
	return err
}

// ApplyConceptScheme makes a scheme what the editors' file says.
func (s *Store) ApplyConceptScheme(ctx context.Context, c entry.ConceptScheme) error {
	return termError(s.queries.ApplyConceptScheme(ctx, s.db, sqlcgen.ApplyConceptSchemeParams{
		ID: c.ID, PrefLabel: marshal(c.PrefLabel), Definition: marshal(c.Definition), Now: s.now(),
	}))
}

// ApplyConcept makes a concept what the editors' file says.
func (s *Store) ApplyConcept(ctx context.Context, c entry.Concept) error {
	for {
		before, err := s.queries.Concept(ctx, s.db, c.ID)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return postgres.Translate(err, nil)
		}
		if c.Version = int(before.Version); c.Version > 0 && same(before, c) {
			return nil
		}
		if _, err = s.SetConcept(ctx, c); !errors.Is(err, entry.ErrVersion) {
			return err
		}
		// Another replica has just made it: now it is there to be looked at.
	}
}

// same says whether the row is the concept.
func same(row sqlcgen.ConceptRow, c entry.Concept) bool {
	was, err := toConcept(row)
	return err == nil && reflect.DeepEqual([]any{was.Scheme, was.Top, columns.List(was.Broader), marshal(was.PrefLabel), marshal(was.AltLabels), marshal(was.Definition)},
		[]any{c.Scheme, c.Top, columns.List(c.Broader), marshal(c.PrefLabel), marshal(c.AltLabels), marshal(c.Definition)})
}

// Tags are one page of an environment's, by their ids, behind that one.
func (s *Store) Tags(ctx context.Context, environment, after string, most int) ([]entry.Tag, error) {
	rows, err := s.queries.ListTags(ctx, s.db, sqlcgen.ListTagsParams{Environment: environment, After: after, Most: int32(most)})
	tags := make([]entry.Tag, len(rows))
	for i, row := range rows {
		tags[i] = toTag(row)
	}
	return tags, postgres.Translate(err, nil)
}

// SetConceptScheme makes a scheme (version 0) or changes the one whose version the caller saw.
func (s *Store) SetConceptScheme(ctx context.Context, c entry.ConceptScheme) (entry.ConceptScheme, error) {
	label, definition := marshal(c.PrefLabel), marshal(c.Definition)
	row, err := s.queries.SetConceptScheme(ctx, s.db, sqlcgen.SetConceptSchemeParams{
		ID: c.ID, PrefLabel: label, Definition: definition, Now: s.now(), Version: int32(c.Version),
	})
	if err != nil {
		return c, termError(err)
	}
	c.Version, c.CreatedAt, c.UpdatedAt = int(row.Version), row.CreatedAt.UTC(), row.UpdatedAt.UTC()
	return c, nil
}

// SetConcept makes a concept (version 0) or changes the one whose version the caller saw. A concept lies below
// none of those that lie below it.
func (s *Store) SetConcept(ctx context.Context, c entry.Concept) (entry.Concept, error) {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		// Two changes at once could close a circle of which neither sees the other's half.
		if err := s.queries.LockConcepts(ctx, tx); err != nil {
			return err
		}
		row, err := s.queries.SetConcept(ctx, tx, sqlcgen.SetConceptParams{
			ID: c.ID, Scheme: c.Scheme, PrefLabel: marshal(c.PrefLabel), AltLabels: marshal(c.AltLabels), Definition: marshal(c.Definition),
			Top: c.Top, Now: s.now(), Version: int32(c.Version),
		})
		if err != nil {
			return err
		}
		c.Version, c.CreatedAt, c.UpdatedAt = int(row.Version), row.CreatedAt.UTC(), row.UpdatedAt.UTC()
		return s.setBroader(ctx, tx, c)
	})
	return c, termError(err)
}

func (s *Store) setBroader(ctx context.Context, tx pgx.Tx, c entry.Concept) error {
	circle, err := s.queries.IsNarrower(ctx, tx, sqlcgen.IsNarrowerParams{Concept: c.ID, Candidates: columns.List(c.Broader)})
	if err != nil {
		return err
	}
	if circle {
		return entry.ErrTermInvalid
	}
	if err := s.queries.DeleteBroader(ctx, tx, c.ID); err != nil {
		return err
	}
	return s.queries.InsertBroader(ctx, tx, sqlcgen.InsertBroaderParams{Concept: c.ID, Broader: columns.List(c.Broader)})
}

// Concepts are one page of a scheme's, by their ids, behind that one.
func (s *Store) Concepts(ctx context.Context, scheme, after string, most int) ([]entry.Concept, error) {
	rows, err := s.queries.ListConcepts(ctx, s.db, sqlcgen.ListConceptsParams{Scheme: scheme, After: after, Most: int32(most)})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	concepts := make([]entry.Concept, len(rows))
	for i, row := range rows {
		if concepts[i], err = toConcept(sqlcgen.ConceptRow(row)); err != nil {
			return nil, err
		}
	}
	return concepts, nil
}

// DeleteTag removes a tag; items that have it keep its id.
func (s *Store) DeleteTag(ctx context.Context, environment, id string) error {
	return gone(s.queries.DeleteTag(ctx, s.db, sqlcgen.DeleteTagParams{Environment: environment, ID: id}))
}

// DeleteConcept is DeleteTag for concepts.
func (s *Store) DeleteConcept(ctx context.Context, id string) error {
	return gone(s.queries.DeleteConcept(ctx, s.db, id))
}

func gone(n int64, err error) error {
	if err == nil && n == 0 {
		return entry.ErrNotFound
	}
	return postgres.Translate(err, nil)
}

// termError turns a missing row into entry.ErrVersion: another caller has changed the row.
func termError(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return entry.ErrVersion
	}
	return postgres.Translate(err, termConstraints)
}

func toTag(row sqlcgen.Tag) entry.Tag {
	return entry.Tag{ID: row.ID, Name: row.Name, Version: int(row.Version), CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC()}
}

func toConcept(row sqlcgen.ConceptRow) (entry.Concept, error) {
	c := entry.Concept{
		ID: row.ID, Scheme: row.Scheme, Top: row.Top, Broader: row.Broader,
		Version: int(row.Version), CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
	}
	return c, errors.Join(columns.Parse(row.PrefLabel, &c.PrefLabel, row.ID), columns.Parse(row.AltLabels, &c.AltLabels, row.ID), columns.Parse(row.Definition, &c.Definition, row.ID))
}

// marshal never fails: it is for maps of texts. None is an empty one.
func marshal[T any](labels map[string]T) []byte {
	if labels == nil {
		return []byte("{}")
	}
	data, _ := json.Marshal(labels)
	return data
}
