package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UploadAsset keeps a picture or a sound and makes a draft of it.
func (s *Screens) UploadAsset(ctx context.Context, req *webv1.UploadAssetRequest) (*webv1.UploadAssetResponse, error) {
	res, err := s.Clients.Management.UploadAsset(ctx, &contentv1.UploadAssetRequest{
		Id: req.GetId(), Title: req.GetTitle(), Description: req.GetDescription(), FileName: req.GetFileName(), Content: req.GetContent(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.UploadAssetResponse{Item: item(res.GetItem())}, nil
}
