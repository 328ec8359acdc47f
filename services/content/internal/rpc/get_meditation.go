package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// GetMeditation returns the card, and the script to callers who may hear the meditation.
func (r *Reading) GetMeditation(ctx context.Context, req *contentv1.GetMeditationRequest) (*contentv1.GetMeditationResponse, error) {
	c, err := r.store.CardNamed(ctx, reading.Meditation, req.GetId())
	if err == nil && !c.Shown(auth.SubjectFrom(ctx)) {
		err = reading.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	categories, err := r.categories(ctx, "")
	if err != nil {
		return nil, err
	}
	d, err := r.newCardBuilder(ctx, categories, c)
	if err != nil {
		return nil, err
	}
	if c.Audio == "" {
		r.opened(ctx, c.ID)
	}
	res := &contentv1.GetMeditationResponse{Card: d.meditation(c)}
	if !c.Whole(d.reader) {
		return res, nil
	}
	script, err := r.text(ctx, c, "script")
	res.Paragraphs = reading.Paragraphs(script)
	return res, err
}
