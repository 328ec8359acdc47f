package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetItem answers an entry or an asset with its fields.
func (s *Screens) GetItem(ctx context.Context, req *webv1.GetItemRequest) (*webv1.GetItemResponse, error) {
	res, err := s.Clients.Management.GetItem(ctx, &contentv1.GetItemRequest{
		Key: contentKey(req.GetKey()),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.GetItemResponse{Item: item(res.GetItem())}, nil
}
