package web

import (
	"context"
	"slices"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// sounds are the same in both contracts by intent; written out so that neither can drift.
var sounds = map[webv1.Sound]contentv1.Sound{
	webv1.Sound_SOUND_VOICE:     contentv1.Sound_SOUND_VOICE,
	webv1.Sound_SOUND_IMMERSIVE: contentv1.Sound_SOUND_IMMERSIVE,
}

// firstTrack is the sound that is offered before the others.
const firstTrack = "warm"

// ListMeditations answers a page of the library with the ambient sounds to play beneath it; without the catalogue the sounds are empty.
func (s *Screens) ListMeditations(ctx context.Context, req *webv1.ListMeditationsRequest) (*webv1.ListMeditationsResponse, error) {
	res, err := s.Clients.Library.ListMeditations(ctx, &contentv1.ListMeditationsRequest{
		Sound: sounds[req.GetSound()], Category: req.GetCategory(), Search: req.GetSearch(), OnlyUnverified: req.GetOnlyUnverified(),
		OnlyIntro: req.GetOnlyIntro(), PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ListMeditationsResponse{
		Meditations: each(res.GetMeditations(), meditationCard), NextPageToken: res.GetNextPageToken(), Total: res.GetTotal(), All: res.GetAll(),
		Voice: res.GetVoice(), Immersive: res.GetImmersive(), Categories: each(res.GetCategories(), categoryCount),
		Narrating: res.GetNarrating(), Narrated: res.GetNarrated(), Tracks: warmFirst(s.catalogue.orEmpty(ctx).tracks),
	}, nil
}

func warmFirst(tracks []*webv1.AmbientTrack) []*webv1.AmbientTrack {
	rank := func(t *webv1.AmbientTrack) int {
		if t.GetId() == firstTrack {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(tracks), func(a, b *webv1.AmbientTrack) int { return rank(a) - rank(b) })
}
