package web

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const (
	// catalogueLife is how long a copy is used before another is asked for.
	catalogueLife = 60 * time.Second
	// cataloguePause is how long content is left alone after it did not answer.
	cataloguePause = 5 * time.Second
)

// catalogue keeps content's catalogue, ready to show. A copy that is due is still shown while
// the next one is on its way, and for as long as content is away.
type catalogue struct {
	client contentv1connect.CatalogueServiceClient
	log    *slog.Logger
	now    func() time.Time
	last   atomic.Pointer[copyOf]
	askAt  atomic.Int64 // unix nanoseconds
	asking singleflight.Group
}

// copyOf is one catalogue in the screens' terms. Its messages are shared and never changed.
type copyOf struct {
	sizes     []*webv1.MeditationSize
	types     []*webv1.MeditationType
	practices []*webv1.PracticeType
	tracks    []*webv1.AmbientTrack
	names     map[string]string // of sizes, types and practices, by kind and id
	trackByID map[string]*webv1.AmbientTrack
}

func newCatalogue(c contentv1connect.CatalogueServiceClient, log *slog.Logger, now func() time.Time) *catalogue {
	return &catalogue{client: c, log: log, now: now}
}

// get answers the catalogue, waiting only where there is no copy at all.
func (c *catalogue) get(ctx context.Context) (*copyOf, error) {
	last := c.last.Load()
	if last != nil && c.now().UnixNano() < c.askAt.Load() {
		return last, nil
	}
	answer := c.asking.DoChan("", func() (any, error) { return c.ask(context.WithoutCancel(ctx)) })
	if last != nil {
		return last, nil
	}
	select {
	case result := <-answer:
		found, _ := result.Val.(*copyOf)
		return found, result.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// known is the catalogue if one can be had soon; else an empty one, whose names are the ids.
func (c *catalogue) known(ctx context.Context) *copyOf {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	found, err := c.get(ctx)
	if err != nil {
		return &copyOf{}
	}
	return found
}

func (c *catalogue) ask(ctx context.Context) (*copyOf, error) {
	res, err := c.client.GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
	if err != nil {
		c.askAt.Store(c.now().Add(cataloguePause).UnixNano())
		c.log.WarnContext(ctx, "catalogue not refreshed", "err", err)
		return nil, err
	}
	found := fromCatalogue(res)
	c.last.Store(found)
	c.askAt.Store(c.now().Add(catalogueLife).UnixNano())
	return found, nil
}
