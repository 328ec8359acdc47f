package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// RestoreRevision makes a draft of what an earlier version held.
func (s *Screens) RestoreRevision(ctx context.Context, req *webv1.RestoreRevisionRequest) (*webv1.RestoreRevisionResponse, error) {
	res, err := s.Clients.Management.RestoreRevision(ctx, &contentv1.RestoreRevisionRequest{
		Key: contentKey(req.GetKey()), Version: req.GetVersion(), Revision: req.GetRevision(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.RestoreRevisionResponse{Item: item(res.GetItem())}, nil
}
