package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListContentTypes answers what an editor can write, with the fields of each.
func (s *Screens) ListContentTypes(ctx context.Context, _ *webv1.ListContentTypesRequest) (*webv1.ListContentTypesResponse, error) {
	res, err := s.Clients.Management.ListContentTypes(ctx, &contentv1.ListContentTypesRequest{})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListContentTypesResponse{}
	for _, t := range res.GetContentTypes() {
		out.ContentTypes = append(out.ContentTypes, contentType(t))
	}
	return out, nil
}
