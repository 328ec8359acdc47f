package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// savedPage is the size of a page of saved items where none is asked for.
const savedPage = 50

// ListSaved answers what the member has saved, the last first.
func (r *Reading) ListSaved(ctx context.Context, req *contentv1.ListSavedRequest) (*contentv1.ListSavedResponse, error) {
	asked, err := savedAsked(ctx, req.GetSearch())
	if err != nil {
		return nil, err
	}
	after, err := reading.ParseCursor(req.GetPageToken())
	if err != nil {
		return nil, err
	}
	size := int(req.GetPageSize())
	if size == 0 {
		size = savedPage
	}
	shelf := keeping.Shelf{Kind: itemKinds[req.GetKind()]}
	shelf.Intro = req.GetIntro() && shelf.Kind == reading.Meditation
	cards, cursors, total, err := r.ports.Kept.Saved(ctx, asked, shelf, after, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListSavedResponse{Total: int32(total)}
	if len(cards) > size {
		cards, res.NextPageToken = cards[:size], cursors[size-1].Token()
	}
	d, err := r.newCardBuilder(ctx, nil, withCategories(cards...))
	if err != nil {
		return nil, err
	}
	if shelf.Kind == reading.Article {
		res.Articles = d.articles(cards)
	} else {
		res.Meditations = d.meditations(cards)
	}
	return res, nil
}

// savedAsked is what a member asks of what they have saved. Errors: auth.ErrUnauthenticated.
func savedAsked(ctx context.Context, search string) (asked keeping.Asked, err error) {
	asked.UID, err = auth.MemberID(ctx)
	asked.All, asked.Words = auth.SubjectFrom(ctx).Admin, reading.SearchWords(search)
	return asked, err
}
