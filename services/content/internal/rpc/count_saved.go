package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/reading"
)

// CountSaved answers how much the member has saved, list by list.
func (r *Reading) CountSaved(ctx context.Context, req *contentv1.CountSavedRequest) (*contentv1.CountSavedResponse, error) {
	asked, err := savedAsked(ctx, req.GetSearch())
	if err != nil {
		return nil, err
	}
	counts, err := r.ports.Kept.CountSaved(ctx, asked)
	if err != nil {
		return nil, err
	}
	of := func(kind reading.Kind, intro bool) int32 {
		return int32(counts[keeping.Shelf{Kind: kind, Intro: intro}])
	}
	return &contentv1.CountSavedResponse{
		Introductions: of(reading.Meditation, true), Library: of(reading.Meditation, false), Articles: of(reading.Article, false),
	}, nil
}
