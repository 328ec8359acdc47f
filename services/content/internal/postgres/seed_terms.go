package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
)

// ApplyTag makes a tag of master what the editors' file says. What somebody else has changed or deleted stays as they left it.
func (s *Store) ApplyTag(ctx context.Context, t entry.Tag) error {
	return s.applyTerm(ctx, "Tag", t.ID, t.Name, func(ctx context.Context, tx pgx.Tx) (int32, error) {
		before, err := s.queries.Tag(ctx, tx, sqlcgen.TagParams{Environment: entry.Master, ID: t.ID})
		if unless(&err) || before.Name == t.Name {
			return 0, err
		}
		row, err := s.queries.SetTag(ctx, tx, sqlcgen.SetTagParams{Environment: entry.Master, ID: t.ID, Name: t.Name, Now: s.now(), Version: before.Version})
		return row.Version, err
	})
}

// ApplyConceptScheme is ApplyTag for schemes.
func (s *Store) ApplyConceptScheme(ctx context.Context, c entry.ConceptScheme) error {
	return s.applyTerm(ctx, "ConceptScheme", c.ID, c.ID, func(ctx context.Context, tx pgx.Tx) (int32, error) {
		before, err := s.queries.ConceptScheme(ctx, tx, c.ID)
		if unless(&err) || (says(before.PrefLabel, c.PrefLabel) && says(before.Definition, c.Definition)) {
			return 0, err
		}
		row, err := s.queries.SetConceptScheme(ctx, tx, sqlcgen.SetConceptSchemeParams{
			ID: c.ID, PrefLabel: marshal(c.PrefLabel), Definition: marshal(c.Definition), Now: s.now(), Version: before.Version,
		})
		return row.Version, err
	})
}

// ApplyConcept is ApplyTag for concepts.
func (s *Store) ApplyConcept(ctx context.Context, c entry.Concept) error {
	return s.applyTerm(ctx, "Concept", c.ID, c.ID, func(ctx context.Context, tx pgx.Tx) (int32, error) {
		before, err := s.queries.Concept(ctx, tx, c.ID)
		same := says(before.PrefLabel, c.PrefLabel) && says(before.Definition, c.Definition) && reflect.DeepEqual(list(before.Broader), list(c.Broader))
		if unless(&err) || same {
			return 0, err
		}
		c.Version = int(before.Version)
		c, err = s.setConcept(ctx, tx, c)
		return int32(c.Version), err
	})
}

// applyTerm writes a term, and tells the trail of master. write gives its version, 0 where it is as the file says already. Replicas
// that start at once come one after the other.
func (s *Store) applyTerm(ctx context.Context, kind entry.Kind, id, title string, write func(ctx context.Context, tx pgx.Tx) (int32, error)) error {
	return termError(s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockConcepts(ctx, tx); err != nil {
			return err
		}
		last, err := s.queries.LastRevision(ctx, tx, sqlcgen.LastRevisionParams{Environment: entry.Master, Kind: string(kind), ID: id})
		if unless(&err) || (last.Actor != "" && last.Actor != Seeding.Name) {
			return err
		}
		version, err := write(ctx, tx)
		if err != nil || version == 0 {
			return termError(err)
		}
		act := "update"
		if version == 1 {
			act = "create"
		}
		return s.note(ctx, tx, Seeding, entry.Item{
			Key: entry.Key{Environment: entry.Master, Kind: kind, ID: id}, ContentType: string(kind), Title: title, Version: int(version), Fields: entry.Fields{},
		}, act, s.now())
	}))
}

// unless says whether reading has failed; that nothing was there is no failure.
func unless(err *error) bool {
	if errors.Is(*err, pgx.ErrNoRows) {
		*err = nil
	}
	return *err != nil
}

// says whether the kept texts are those.
func says(kept []byte, texts map[string]string) bool {
	var before map[string]string
	return json.Unmarshal(kept, &before) == nil && len(before) == len(texts) && (len(texts) == 0 || reflect.DeepEqual(before, texts))
}
