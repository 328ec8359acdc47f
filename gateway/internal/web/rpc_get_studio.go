package web

import (
	"context"
	"sync"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetStudio answers what the studio's forms offer, and how many meditations wait for being verified.
func (s *Screens) GetStudio(ctx context.Context, _ *webv1.GetStudioRequest) (*webv1.GetStudioResponse, error) {
	var unverified int32
	var parts sync.WaitGroup
	parts.Go(func() { unverified = s.unverified(ctx) })
	found, err := s.catalogue.Get(ctx)
	parts.Wait()
	if err != nil {
		return nil, err
	}
	out := choices(found.raw)
	out.Unverified = unverified
	return out, nil
}

// unverified is left out where content does not answer soon.
func (s *Screens) unverified(ctx context.Context) int32 {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Studio.ListMade(ctx, &contentv1.ListMadeRequest{PageSize: 1})
	if err != nil {
		s.without(ctx, "the number of those that wait", err)
	}
	return res.GetUnverified()
}
