package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
)

var sounds = map[contentv1.Sound]reading.Sound{
	contentv1.Sound_SOUND_VOICE: reading.Voice, contentv1.Sound_SOUND_IMMERSIVE: reading.Immersive,
}

// ListMeditations answers the newest first, with how many there are of each sound and category.
func (r *Reading) ListMeditations(ctx context.Context, req *contentv1.ListMeditationsRequest) (*contentv1.ListMeditationsResponse, error) {
	categories, err := r.categories(ctx, req.GetCategory())
	if err != nil {
		return nil, err
	}
	whole := reading.Filter{Kind: reading.Meditation, Scope: reading.ScopeOf(readerOf(ctx), req.GetOnlyUnverified())}
	all := whole
	all.Sound, all.Intro = sounds[req.GetSound()], req.GetOnlyIntro()
	f := all
	f.Category = req.GetCategory()
	p, err := r.list(ctx, f, req.GetSearch(), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	voice, immersive, narrated := whole, whole, whole
	voice.Sound, immersive.Sound, narrated.Narrated = reading.Voice, reading.Immersive, true
	counts, filled, err := r.counts(ctx, categories, all, f, whole, voice, immersive, narrated)
	if err != nil {
		return nil, err
	}
	narrating, err := r.narrating(ctx, counts[whole]-counts[narrated])
	if err != nil {
		return nil, err
	}
	d, err := r.newCardBuilder(ctx, categories, p.cards...)
	if err != nil {
		return nil, err
	}
	var scripts []*contentv1.MeditationScript
	if req.GetWithScripts() {
		if scripts, err = r.scripts(ctx, d.reader, p.cards); err != nil {
			return nil, err
		}
	}
	return &contentv1.ListMeditationsResponse{
		Meditations: d.meditations(p.cards), Scripts: scripts, NextPageToken: p.next, Total: p.total(counts[f]), All: int32(counts[all]),
		Voice: int32(counts[voice]), Immersive: int32(counts[immersive]), Categories: filled,
		Narrating: int32(narrating), Narrated: int32(counts[whole]),
	}, nil
}

// narrating counts the meditations without a sound that are being narrated or wait for it. It leaves out failed ones, and those
// that the service does not narrate.
func (r *Reading) narrating(ctx context.Context, soundless int) (int, error) {
	if soundless == 0 {
		return 0, nil
	}
	counts, err := r.store.CountNarrations(ctx, "meditation")
	return min(soundless, counts.Waiting+counts.Narrating), err
}
