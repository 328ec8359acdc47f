package web

import (
	"context"
	"errors"
	"sync"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetJourney counts what stands in each tab of My Journey. A service that is away leaves its numbers out; only where all are away is that an
// error.
func (s *Screens) GetJourney(ctx context.Context, req *webv1.GetJourneyRequest) (*webv1.GetJourneyResponse, error) {
	out := &webv1.GetJourneyResponse{}
	var parts sync.WaitGroup
	var savedErr, bespokeErr error
	parts.Go(func() {
		var saved *contentv1.CountSavedResponse
		if saved, savedErr = s.Clients.Items.CountSaved(ctx, &contentv1.CountSavedRequest{Search: req.GetSearch()}); savedErr == nil {
			out.Introductions, out.Library, out.Articles = &saved.Introductions, &saved.Library, &saved.Articles
		}
	})
	parts.Go(func() {
		var bespoke int32
		if bespoke, bespokeErr = s.countBespoke(ctx, req.GetSearch()); bespokeErr == nil {
			out.Bespoke = &bespoke
		}
	})
	parts.Wait()
	switch err := errors.Join(savedErr, bespokeErr); {
	case savedErr != nil && bespokeErr != nil:
		return nil, savedErr
	case err != nil:
		s.without(ctx, "numbers of My Journey", err)
	}
	return out, nil
}

// countBespoke is how many ListBespoke has in all its pages.
func (s *Screens) countBespoke(ctx context.Context, search string) (int32, error) {
	if search != "" {
		found, err := s.findBespoke(ctx, search, "", 1)
		return found.GetTotal(), err
	}
	res, err := s.Clients.Meditations.CountMeditations(ctx, &generationv1.CountMeditationsRequest{})
	return res.GetTotal(), err
}
