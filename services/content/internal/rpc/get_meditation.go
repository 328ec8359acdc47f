package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// GetMeditation returns the card, and the script to callers who may hear the meditation.
func (r *Reading) GetMeditation(ctx context.Context, req *contentv1.GetMeditationRequest) (*contentv1.GetMeditationResponse, error) {
	c, err := r.ports.Pages.CardNamed(ctx, reading.Meditation, req.GetId())
	if err == nil && !c.Shown(auth.SubjectFrom(ctx)) {
		err = reading.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	whole := c.Whole(readerOf(ctx))
	d, err := r.newCardBuilder(ctx, nil, reading.SurroundingsAsked{Cards: []reading.Card{c}, Categories: true, Texts: whole})
	if err != nil {
		return nil, err
	}
	if c.Audio == "" {
		r.ports.Opened(ctx, c.ID)
	}
	res := &contentv1.GetMeditationResponse{Card: d.meditation(c)}
	if !whole {
		return res, nil
	}
	script, err := d.text(c, "script")
	res.Paragraphs = reading.Paragraphs(script)
	return res, err
}
