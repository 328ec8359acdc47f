package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UpdateItem replaces the fields of the version that the editor saw.
func (s *Screens) UpdateItem(ctx context.Context, req *webv1.UpdateItemRequest) (*webv1.UpdateItemResponse, error) {
	res, err := s.Clients.Management.UpdateItem(ctx, &contentv1.UpdateItemRequest{
		Key: contentKey(req.GetKey()), Version: req.GetVersion(), Fields: req.GetFields(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.UpdateItemResponse{Item: item(res.GetItem())}, nil
}
