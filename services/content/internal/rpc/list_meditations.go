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
	count := counting{all, []reading.Filter{f, whole, voice, immersive, narrated}, p.Categories}
	d, err := r.newCardBuilder(ctx, p.Categories, reading.SurroundingsAsked{Cards: p.Cards, Lists: count.lists(), Texts: req.GetWithScripts()})
	if err != nil {
		return nil, err
	}
	of := func(f reading.Filter) int { return d.Counts[f.Name()] }
	narrating, err := r.narrating(ctx, of(whole)-of(narrated))
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListMeditationsResponse{
		Meditations: d.meditations(p.Cards), NextPageToken: p.next, Total: p.total(of(f)), All: int32(of(all)),
		Voice: int32(of(voice)), Immersive: int32(of(immersive)), Categories: count.filled(d.Counts),
		Narrating: int32(narrating), Narrated: int32(of(whole)),
	}
	if req.GetWithScripts() {
		res.Scripts = d.scripts(p.Cards)
	}
	return res, nil
}

// narrating counts the meditations without a sound that are being narrated or wait for it. It leaves out failed ones, and those
// that the service does not narrate.
func (r *Reading) narrating(ctx context.Context, soundless int) (int, error) {
	if soundless == 0 {
		return 0, nil
	}
	counts, err := r.ports.Narrations.CountNarrations(ctx, "meditation")
	return min(soundless, counts.Waiting+counts.Narrating), err
}
