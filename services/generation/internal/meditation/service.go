package meditation

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/blob"
)

// Ports are what the service needs from outside. All are required.
type Ports struct {
	Store     Store
	Credits   Credits
	Catalogue Catalogue
	Writer    Writer
	Rewriter  Rewriter
	Recorder  Recorder
	Blobs     blob.Store
	Notifier  Notifier
	Metrics   Metrics
	// Sealer keeps what stands in links that share meditations.
	Sealer Sealer
	// CheckTitle answers the title as it is kept, or the refusal for the member.
	CheckTitle func(string) (string, error)
	Now        func() time.Time
	NewID      func() uuid.UUID
	Log        *slog.Logger
}

// Service answers members and repairs what crashes leave behind. It is safe for concurrent use.
type Service struct {
	Ports

	admission admission
}

// New makes a Service.
func New(p Ports) *Service { return &Service{Ports: p} }

// Get answers the owner's meditation with its segments so far; none where nothing of it may be heard.
func (s *Service) Get(ctx context.Context, uid, id uuid.UUID) (Meditation, []recording.Segment, error) {
	m, segments, err := s.Store.GetWithSegments(ctx, uid, id)
	if err != nil || !m.State.Audible() {
		return m, nil, err
	}
	return m, segments, nil
}

// Own answers those of the ids that are the owner's; what is no id names nothing.
func (s *Service) Own(ctx context.Context, uid uuid.UUID, ids []string) ([]Meditation, error) {
	var named []uuid.UUID
	for _, text := range ids {
		if id, err := ParseID(text); err == nil {
			named = append(named, id)
		}
	}
	return s.Store.Own(ctx, uid, named)
}

// ParseID reads a meditation's id; ErrNotFound for what is none. Of the forms that uuid.Parse reads,
// only the plain one is ours.
func ParseID(text string) (uuid.UUID, error) {
	id, err := plainID(text)
	if err != nil {
		return id, ErrNotFound.Because(err)
	}
	return id, nil
}

// ParseDraftID reads a draft's id; ErrDraftNotFound for what is none.
func ParseDraftID(text string) (uuid.UUID, error) {
	id, err := plainID(text)
	if err != nil {
		return id, ErrDraftNotFound.Because(err)
	}
	return id, nil
}

var errNotPlain = errors.New("an id of another form")

func plainID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err == nil && len(text) != len(uuid.Nil.String()) {
		err = errNotPlain
	}
	if err != nil {
		return uuid.Nil, err
	}
	return id, nil
}
