package web

import (
	"context"
	"log/slog"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/rpc"
)

const (
	// catalogueLife is how long a catalogue is used before another is asked for.
	catalogueLife = 60 * time.Second
	// cataloguePause is how long a service is left alone after it did not answer.
	cataloguePause = 5 * time.Second
)

// catalogue is content's catalogue, ready to show.
type catalogue struct {
	*cached.Value[*cachedCatalogue]
}

// cachedCatalogue is one catalogue in the screens' terms. Its messages are shared and never changed.
type cachedCatalogue struct {
	raw       *contentv1.GetCatalogueResponse
	sizes     []*webv1.MeditationSize
	types     []*webv1.MeditationType
	practices []*webv1.PracticeType
	tracks    []*webv1.AmbientTrack
	names     map[string]string // of sizes, types and practices, by kind and id
	trackByID map[string]*webv1.AmbientTrack
}

func newCatalogue(c contentv1connect.CatalogueServiceClient, log *slog.Logger, now func() time.Time) *catalogue {
	return &catalogue{cached.New(publicAnswer("catalogue", log, now, func(ctx context.Context) (*cachedCatalogue, error) {
		res, err := c.GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
		if err != nil {
			return nil, err
		}
		return fromCatalogue(res), nil
	}))}
}

// publicAnswer is how long the gateway uses what a service answers to everybody alike. It is asked
// for in nobody's name.
func publicAnswer[T any](what string, log *slog.Logger, now func() time.Time, ask func(context.Context) (T, error)) cached.Config[T] {
	return cached.Config[T]{
		Ask:  func(ctx context.Context) (T, error) { return ask(auth.WithSubject(ctx, auth.Subject{})) },
		Time: rpc.CallTime, Life: catalogueLife, Pause: cataloguePause, Now: now,
		Failed: func(ctx context.Context, err error) {
			log.WarnContext(ctx, "not refreshed", "what", what, "error", err)
		},
	}
}

// Catalogue is what can be generated, in content's own words. It is shared and never changed.
func (s *Screens) Catalogue(ctx context.Context) (*contentv1.GetCatalogueResponse, error) {
	found, err := s.catalogue.Get(ctx)
	if err != nil {
		return nil, err
	}
	return found.raw, nil
}

// orEmpty is the catalogue if there is one within partTime; else an empty one, which shows ids as names.
func (c *catalogue) orEmpty(ctx context.Context) *cachedCatalogue {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	found, err := c.Get(ctx)
	if err != nil {
		return &cachedCatalogue{}
	}
	return found
}
