package postgres

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

// Ended answers a member's meditations of which nothing is under way.
func (s *Store) Ended(ctx context.Context, uid uuid.UUID, most int) ([]meditation.Meditation, error) {
	rows, err := s.queries.Ended(ctx, s.db, sqlcgen.EndedParams{Uid: uid, Most: int32(most)})
	if err != nil {
		return nil, translate(err)
	}
	return toMeditations(rows)
}

// Erase removes a meditation with its words.
func (s *Store) Erase(ctx context.Context, id uuid.UUID) error {
	return translate(s.queries.Erase(ctx, s.db, id))
}

// HasAny says whether the member has any, in whatever state.
func (s *Store) HasAny(ctx context.Context, uid uuid.UUID) (bool, error) {
	left, err := s.queries.HasAny(ctx, s.db, uid)
	return left, translate(err)
}
