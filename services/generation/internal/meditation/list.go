package meditation

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/recording"
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

// Page asks for Size meditations behind the one it names, which is named by when it was made, or deleted where Marked are listed.
type Page struct {
	Filter     Filter
	BeforeTime time.Time
	BeforeID   uuid.UUID
	Size       int
}

// farFuture and uuid.Max are the newest possible position, where the first page begins.
var farFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// First says whether the page begins with the newest.
func (p Page) First() bool { return p.BeforeTime.Equal(farFuture) }

// List answers the member's meditations behind a filter, newest first: those at work and ready, and those that
// failed within FailedShownFor. Cancelled ones are not listed; the member wanted them gone.
func (s *Service) List(ctx context.Context, uid uuid.UUID, filter Filter, size int, token string) (page []Meditation, next string, total int, err error) {
	if size <= 0 {
		size = defaultPage
	}
	p, err := parseToken(token)
	if err != nil {
		return nil, "", 0, err
	}
	size = min(size, maxPage)
	p.Filter, p.Size = filter, size+1
	page, total, err = s.Store.List(ctx, uid, p, s.Now().Add(-FailedShownFor))
	if err != nil || len(page) <= size {
		return page, "", total, err
	}
	page = page[:size]
	return page, tokenAfter(filter, page[size-1]), total, nil
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

func tokenAfter(f Filter, m Meditation) string {
	if f == Marked {
		return tokenOf(m.DeletesAt, m.ID)
	}
	return tokenOf(m.CreatedAt, m.ID)
}

func tokenOf(before time.Time, id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(before.UTC().Format(time.RFC3339Nano) + " " + id.String()))
}

// parseToken reads what tokenAfter writes, and no other spelling of it: a zone can lead out of the years that
// are written with four digits.
func parseToken(token string) (Page, error) {
	if token == "" {
		return Page{BeforeTime: farFuture, BeforeID: uuid.Max}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return Page{}, ErrPageToken.Because(err)
	}
	at, after, _ := strings.Cut(string(raw), " ")
	before, terr := time.Parse(time.RFC3339Nano, at)
	id, err := uuid.Parse(after)
	if err != nil || terr != nil || tokenOf(before, id) != token {
		return Page{}, ErrPageToken.Because(fmt.Errorf("token %q", raw))
	}
	return Page{BeforeTime: before, BeforeID: id}, nil
}
