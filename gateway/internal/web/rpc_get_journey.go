package web

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

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
		var own *generationv1.CountMeditationsResponse
		if own, bespokeErr = s.countBespoke(ctx, req.GetSearch()); bespokeErr == nil {
			out.Bespoke, out.Deleted = &own.Total, &own.Deleted
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

// countBespoke is how many of the member's own can be heard, and how many they have deleted; of what is searched for, those that are found.
func (s *Screens) countBespoke(ctx context.Context, search string) (*generationv1.CountMeditationsResponse, error) {
	if search == "" {
		return s.Clients.Meditations.CountMeditations(ctx, &generationv1.CountMeditationsRequest{})
	}
	found := &generationv1.CountMeditationsResponse{}
	count := func(into *int32, deleted bool) func() error {
		return func() error {
			group, err := s.findBespoke(ctx, &contentv1.SearchRequest{Text: search, PageSize: 1, Deleted: deleted})
			*into = group.GetTotal()
			return err
		}
	}
	var both errgroup.Group
	both.Go(count(&found.Total, false))
	both.Go(count(&found.Deleted, true))
	return found, both.Wait()
}
