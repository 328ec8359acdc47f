package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ChangeItem publishes, takes back, archives or deletes.
func (s *Screens) ChangeItem(ctx context.Context, req *webv1.ChangeItemRequest) (*webv1.ChangeItemResponse, error) {
	res, err := s.Clients.Management.ChangeItem(ctx, &contentv1.ChangeItemRequest{
		Key: contentKey(req.GetKey()), Version: req.GetVersion(), Step: steps[req.GetStep()],
	})
	if err != nil {
		return nil, err
	}
	return &webv1.ChangeItemResponse{Item: item(res.GetItem())}, nil
}
