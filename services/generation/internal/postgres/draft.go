package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
	"serein.app/services/generation/internal/recording"
)

// Draft reads a script that is being written.
func (s *Store) Draft(ctx context.Context, id uuid.UUID) (said []recording.Passage, asked bool, err error) {
	row, err := s.queries.Draft(ctx, s.db, id)
	if err != nil {
		return nil, false, translate(err)
	}
	said, err = toPassages(row.Passages)
	return said, row.RestAsked, err
}

// AddPassages adds passages behind those that are said. Nobody who watches sees it before they are spoken.
func (s *Store) AddPassages(ctx context.Context, m meditation.Meditation, said int, passages []recording.Passage) error {
	data, err := fromPassages(passages)
	if err != nil {
		return err
	}
	return translate(lost(s.queries.AddPassages(ctx, s.db, sqlcgen.AddPassagesParams{
		MeditationID: m.ID, Attempt: int32(m.Attempt), Said: int32(said), Passages: data,
	})))
}

// AskRest notes that a model is asked for the rest of a script.
func (s *Store) AskRest(ctx context.Context, m meditation.Meditation) error {
	return translate(lost(s.queries.AskRest(ctx, s.db, sqlcgen.AskRestParams{MeditationID: m.ID, Attempt: int32(m.Attempt)})))
}

// CloseScript says that a script is whole.
func (s *Store) CloseScript(ctx context.Context, m meditation.Meditation, words, segments int) error {
	_, err := s.step(ctx, nil, func(tx pgx.Tx) (sqlcgen.Meditation, error) {
		return s.queries.CloseScript(ctx, tx, sqlcgen.CloseScriptParams{
			ID: m.ID, Attempt: int32(m.Attempt), Words: int32(words), PassagesTotal: int32(segments),
		})
	})
	return err
}
