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
	var newest lately
	var parts sync.WaitGroup
	if memberOf(ctx) != nil {
		parts.Go(func() { out.Credits = credits(s.account(ctx).GetBalance()) })
		parts.Go(func() { newest = s.lately(ctx) })
	}
	found, err := s.catalogue.Get(ctx)
	parts.Wait()
	if err != nil {
		return nil, err
	}
	out.Sizes, out.Types, out.Practices, out.Tracks = found.sizes, found.types, found.practices, found.tracks
	narrator := found.raw.GetImmersiveNarrator()
	out.ImmersiveNarratorId, out.ImmersiveNarratorName = narrator.GetId(), narrator.GetName()
	out.Running = found.meditation(newest.running)
	out.Outside = s.outside.as(ctx, newest.keptInside)
	return out, nil
}

// lookBack is how many of the newest meditations are looked at for one that is being made: more
// than a member may have under way at once.
const lookBack = 10

// lately is what the form needs to know of a member's newest meditations, deleted ones among them.
type lately struct {
	// running is being made; nil for none.
	running *generationv1.Meditation
	// keptInside says that the last one was, or that nobody can say.
	keptInside bool
}

func (s *Screens) lately(ctx context.Context) (l lately) {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	res, err := s.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{
		PageSize: lookBack, Filter: generationv1.MeditationFilter_MEDITATION_FILTER_ALL,
	})
	if err != nil {
		s.without(ctx, "the newest meditations", err)
		return lately{keptInside: true}
	}
	for i, m := range res.GetMeditations() {
		l.keptInside = l.keptInside || i == 0 && m.GetKeptInside()
		if l.running == nil && !ended(m.GetStage()) {
			l.running = m
		}
	}
	return l
}
