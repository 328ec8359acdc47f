package meditation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/pagetoken"
)

// The sizes of a page.
const (
	defaultPage = 50
	maxPage     = 100
)

// Filter says which meditations are listed.
type Filter int

const (
	// Active are those that are not marked deleted.
	Active Filter = iota
	// Marked are those that are, and those that are Deleted; the last one marked comes first.
	Marked
	// All are both.
	All
)

// Place of a meditation in a list, the newest first: when it was made, or when it goes if Marked are listed.
type Place struct {
	At pagetoken.Time
	ID uuid.UUID
}

// newest is the place where a first page begins: no meditation is newer.
var newest = Place{pagetoken.Time{Time: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, uuid.Max}

// Page asks for Size meditations that are older than a place.
type Page struct {
	Filter Filter
	Before Place
	Size   int
}

// First says whether the page begins with the newest.
func (p Page) First() bool { return p.Before.At.Equal(newest.At.Time) }

// List answers the member's meditations behind a filter, newest first: those at work and ready, and those that
// failed within FailedShownFor. Cancelled ones are not listed; the member wanted them gone.
func (s *Service) List(ctx context.Context, uid uuid.UUID, filter Filter, size int, token string) (page []Meditation, next string, total int, err error) {
	if size <= 0 {
		size = defaultPage
	}
	before, err := pagetoken.Decode(token, newest)
	if err != nil {
		return nil, "", 0, err
	}
	size = min(size, maxPage)
	page, total, err = s.Store.List(ctx, uid, Page{filter, before, size + 1}, s.Now().Add(-FailedShownFor))
	if err != nil || len(page) <= size {
		return page, "", total, err
	}
	page = page[:size]
	return page, pagetoken.Encode(placeOf(filter, page[size-1])), total, nil
}

// Count answers how many are Ready and not marked deleted, and how many are Marked.
func (s *Service) Count(ctx context.Context, uid uuid.UUID) (heard, deleted int, err error) {
	return s.Store.Count(ctx, uid)
}

// Scripts answers what is spoken in meditations that their owner was answered, in the same order;
// an empty one where it is not written yet, or is written no more.
func (s *Service) Scripts(ctx context.Context, page ...Meditation) ([]recording.Script, error) {
	ids := make([]uuid.UUID, len(page))
	for i, m := range page {
		ids[i] = m.ID
	}
	written, err := s.Store.Scripts(ctx, ids)
	if err != nil {
		return nil, err
	}
	scripts := make([]recording.Script, len(page))
	for i, id := range ids {
		scripts[i] = written[id]
	}
	return scripts, nil
}

func placeOf(f Filter, m Meditation) Place {
	if f == Marked {
		return Place{pagetoken.Time{Time: m.DeletesAt}, m.ID}
	}
	return Place{pagetoken.Time{Time: m.CreatedAt}, m.ID}
}
