package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// tables are the kinds of items by the names that the specification has for them.
var tables = map[string]contentv1.ItemKind{
	"Articles": contentv1.ItemKind_ITEM_KIND_ARTICLE, "Static_Meditations": contentv1.ItemKind_ITEM_KIND_MEDITATION,
	"User_Bespoke_Meditations": contentv1.ItemKind_ITEM_KIND_BESPOKE,
}

// UpdateLike puts an item among the member's likes or takes it out, and answers the count that comes of it. Errors: ITEM_NOT_FOUND,
// also for an item of another table and for a meditation of another member; SUBSCRIPTION_REQUIRED for what the member may not read
// or hear.
func (a *API) UpdateLike(ctx context.Context, req *restv1.UpdateLikeRequest) (*restv1.UpdateLikeResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	item := &contentv1.ItemRef{Kind: tables[req.GetTable()], Id: req.GetUid()}
	standing, err := a.like(ctx, item, req.Liked)
	if err != nil {
		return nil, err
	}
	return &restv1.UpdateLikeResponse{Likes: standing.GetLikes(), Liked: standing.GetLiked()}, nil
}

// like makes the item liked or not; where it is not said which, the other way round than it is.
func (a *API) like(ctx context.Context, item *contentv1.ItemRef, liked *bool) (*contentv1.Standing, error) {
	if liked == nil {
		res, err := a.Clients.Items.ToggleLike(ctx, &contentv1.ToggleLikeRequest{Item: item})
		return res.GetStanding(), err
	}
	res, err := a.Clients.Items.SetLike(ctx, &contentv1.SetLikeRequest{Item: item, Liked: *liked})
	return res.GetStanding(), err
}
