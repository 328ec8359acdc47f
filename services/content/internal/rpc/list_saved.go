package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// savedPage is the size of a page of saved items where none is asked for.
const savedPage = 50

// ListSaved answers what the member has saved, the last first.
func (r *Reading) ListSaved(ctx context.Context, req *contentv1.ListSavedRequest) (*contentv1.ListSavedResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	after, err := fromPageToken(req.GetPageToken(), reading.First)
	if err != nil {
		return nil, err
	}
	size := int(req.GetPageSize())
	if size == 0 {
		size = savedPage
	}
	kind := itemKinds[req.GetKind()]
	cards, places, total, err := r.store.Saved(ctx, uid, kind, auth.SubjectFrom(ctx).Admin, after, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListSavedResponse{Total: int32(total)}
	if len(cards) > size {
		cards, res.NextPageToken = cards[:size], toPageToken(places[size-1])
	}
	categories, err := r.categories(ctx, "")
	if err != nil {
		return nil, err
	}
	d, err := r.dress(ctx, categories, cards...)
	if err != nil {
		return nil, err
	}
	if kind == reading.Article {
		res.Articles = d.articles(cards)
	} else {
		res.Meditations = d.meditations(cards)
	}
	return res, nil
}
