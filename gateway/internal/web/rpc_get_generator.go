package web

import (
	"context"
	"sync"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// The specification's prices, in credits. Generation charges them; here they are shown.
const (
	costVoiceOnly = 1
	costImmersive = 2
)

// GetGenerator answers the generator's form: what can be chosen, what it costs and, for a
// member, what there is to spend and what is being made.
func (s *Screens) GetGenerator(ctx context.Context, _ *webv1.GetGeneratorRequest) (*webv1.GetGeneratorResponse, error) {
	out := &webv1.GetGeneratorResponse{CostVoiceOnly: costVoiceOnly, CostImmersive: costImmersive}
	var running *generationv1.Meditation
	var parts sync.WaitGroup
	if memberOf(ctx) != nil {
		parts.Go(func() { out.Credits = credits(s.account(ctx).GetBalance()) })
		parts.Go(func() { running = s.running(ctx) })
	}
	found, err := s.catalogue.Get(ctx)
	parts.Wait()
	if err != nil {
		return nil, err
	}
	out.Sizes, out.Types, out.Practices, out.Tracks = found.sizes, found.types, found.practices, found.tracks
	narrator := found.raw.GetImmersiveNarrator()
	out.ImmersiveNarratorId, out.ImmersiveNarratorName = narrator.GetId(), narrator.GetName()
	out.Running = found.meditation(running)
	return out, nil
}

// lookBack is how many of the newest meditations are looked at for one that is being made: more
// than a member may have under way at once.
const lookBack = 10

func (s *Screens) running(ctx context.Context) *generationv1.Meditation {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: lookBack})
	if err != nil {
		s.without(ctx, "the meditation being made", err)
		return nil
	}
	for _, m := range res.GetMeditations() {
		if !ended(m.GetStage()) {
			return m
		}
	}
	return nil
}
