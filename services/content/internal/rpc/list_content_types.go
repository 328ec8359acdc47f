package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// ListContentTypes answers all of them, by their ids.
func (m *Management) ListContentTypes(ctx context.Context, req *contentv1.ListContentTypesRequest) (*contentv1.ListContentTypesResponse, error) {
	types, err := m.store.ContentTypes(ctx, environment(req))
	if err != nil {
		return nil, err
	}
	counts, err := m.store.Counts(ctx, environment(req))
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListContentTypesResponse{}
	for _, t := range types {
		out, err := toProtoType(t, counts[t.ID])
		if err != nil {
			return nil, err
		}
		res.ContentTypes = append(res.ContentTypes, out)
	}
	return res, nil
}
