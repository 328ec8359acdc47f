package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// CreateItem makes a draft.
func (s *Screens) CreateItem(ctx context.Context, req *webv1.CreateItemRequest) (*webv1.CreateItemResponse, error) {
	res, err := s.Clients.Management.CreateItem(ctx, &contentv1.CreateItemRequest{
		Key: contentKey(req.GetKey()), ContentType: req.GetContentType(), Fields: req.GetFields(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.CreateItemResponse{Item: item(res.GetItem())}, nil
}
