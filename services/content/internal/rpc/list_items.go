package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/pagetoken"
)

// ListItems pages through drafts, the last changed first. A draft that changes between two pages moves to the front.
func (m *Management) ListItems(ctx context.Context, req *contentv1.ListItemsRequest) (*contentv1.ListItemsResponse, error) {
	after, err := pagetoken.Decode(req.GetPageToken(), store.Newest)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	items, err := m.store.Drafts(ctx, environment(req), req.GetContentType(), req.GetSearch(), after, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListItemsResponse{}
	if len(items) > size {
		items = items[:size]
		res.NextPageToken = pagetoken.Encode(store.Cursor{At: pagetoken.Time{Time: items[size-1].UpdatedAt}, ID: items[size-1].ID})
	}
	for _, i := range items {
		res.Items = append(res.Items, toProtoCard(i))
	}
	return res, nil
}
