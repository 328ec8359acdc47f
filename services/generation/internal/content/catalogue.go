// Package content keeps the content service's catalogue at hand, so that a request of a meditation
// does not wait for it and does not fail while it is away.
package content

import (
	"context"
	"log/slog"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/deadline"
)

const (
	// life of an answer; it is used longer while content does not give another.
	life = time.Minute
	// pause after a failed question.
	pause = 5 * time.Second
)

// askTime bounds a question, and so the wait of those who have no catalogue yet.
var askTime = deadline.Of(2 * time.Second)

// Catalogue is the cached catalogue of the content service.
type Catalogue struct {
	offer *cached.Value[meditation.Offer]
}

var _ meditation.Catalogue = (*Catalogue)(nil)

// New makes a Catalogue of a signed client.
func New(client contentv1connect.CatalogueServiceClient, now func() time.Time, log *slog.Logger) *Catalogue {
	return &Catalogue{cached.New(cached.Config[meditation.Offer]{
		Ask: func(ctx context.Context) (meditation.Offer, error) {
			res, err := client.GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
			if err != nil {
				return meditation.Offer{}, err
			}
			return toOffer(res), nil
		},
		Time: askTime, Life: life, Pause: pause, Now: now,
		Failed: func(ctx context.Context, err error) {
			log.WarnContext(ctx, "the catalogue cannot be read", "error", err)
		},
	})}
}

// Catalogue answers the offer: the last good one while the content service is away, and an error
// only where there never was one.
func (c *Catalogue) Catalogue(ctx context.Context) (meditation.Offer, error) { return c.offer.Get(ctx) }

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
