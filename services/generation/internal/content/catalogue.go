// Package content keeps the content service's catalogue at hand, so that a press of Generate
// does not wait for it and does not fail while it is away.
package content

import (
	"context"
	"log/slog"
	"sync"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/generation/internal/meditation"
)

const (
	// fresh is how long a copy is used without asking.
	fresh = time.Minute
	// retryAfter a failed question the next one is asked; until then the last good copy serves.
	retryAfter = 5 * time.Second
	// askTime bounds a question while somebody waits for it.
	askTime = 2 * time.Second
)

// Catalogue is a cached client with the last good copy.
type Catalogue struct {
	client contentv1connect.CatalogueServiceClient
	now    func() time.Time
	log    *slog.Logger

	// asking lets one caller refresh; the others use the old copy, if there is one.
	asking sync.Mutex
	mu     sync.RWMutex
	copy   *meditation.Offer
	until  time.Time
}

var _ meditation.Catalogue = (*Catalogue)(nil)

// New makes a Catalogue of a signed client.
func New(client contentv1connect.CatalogueServiceClient, now func() time.Time, log *slog.Logger) *Catalogue {
	return &Catalogue{client: client, now: now, log: log}
}

// Catalogue answers the offer: at most a minute old while the content service answers, otherwise
// the last good one. It fails only when there never was one.
func (c *Catalogue) Catalogue(ctx context.Context) (meditation.Offer, error) {
	kept, current := c.kept()
	if current {
		return *kept, nil
	}
	if kept != nil && !c.asking.TryLock() {
		return *kept, nil
	}
	if kept == nil {
		c.asking.Lock()
	}
	defer c.asking.Unlock()
	if kept, current = c.kept(); current {
		return *kept, nil
	}
	return c.refresh(ctx, kept)
}

func (c *Catalogue) kept() (offer *meditation.Offer, current bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.copy, c.copy != nil && c.now().Before(c.until)
}

func (c *Catalogue) refresh(ctx context.Context, old *meditation.Offer) (meditation.Offer, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	res, err := c.client.GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
	if err != nil && old == nil {
		return meditation.Offer{}, err
	}
	if err != nil {
		c.log.WarnContext(ctx, "the catalogue's last good copy serves", "error", err)
		c.keep(old, retryAfter)
		return *old, nil
	}
	offer := toOffer(res)
	c.keep(&offer, fresh)
	return offer, nil
}

func (c *Catalogue) keep(offer *meditation.Offer, lasts time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.copy, c.until = offer, c.now().Add(lasts)
}

func toOffer(res *contentv1.GetCatalogueResponse) meditation.Offer {
	o := meditation.Offer{
		Types: map[string]meditation.Type{}, Practices: map[string]bool{},
		Sizes: map[string]meditation.Size{}, Tracks: map[string]bool{},
	}
	for _, t := range res.GetTypes() {
		o.Types[t.GetId()] = meditation.Type{NarratorID: t.GetNarrator().GetId(), Affirmations: t.GetAffirmations()}
	}
	for _, p := range res.GetPractices() {
		o.Practices[p.GetId()] = true
	}
	for _, s := range res.GetSizes() {
		o.Sizes[s.GetId()] = meditation.Size{
			MinWords: int(s.GetMinWords()), MaxWords: int(s.GetMaxWords()), Breaks: int(s.GetBreaks()),
			Pause:    time.Duration(s.GetPauseSeconds()) * time.Second,
			Expected: time.Duration(s.GetExpectedSeconds()) * time.Second,
		}
	}
	for _, t := range res.GetTracks() {
		o.Tracks[t.GetId()] = true
	}
	return o
}
