package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListItems pages through the entries of a type, or the assets, the last changed first.
func (s *Screens) ListItems(ctx context.Context, req *webv1.ListItemsRequest) (*webv1.ListItemsResponse, error) {
	res, err := s.Clients.Management.ListItems(ctx, &contentv1.ListItemsRequest{
		ContentType: req.GetContentType(), Search: req.GetSearch(), PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListItemsResponse{NextPageToken: res.GetNextPageToken()}
	for _, i := range res.GetItems() {
		out.Items = append(out.Items, item(i))
	}
	return out, nil
}
