package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	store "serein.app/services/content/internal/postgres"
)

// ListRevisions pages through the trail, the newest act first. What is done meanwhile changes no further page.
func (m *Management) ListRevisions(ctx context.Context, req *contentv1.ListRevisionsRequest) (*contentv1.ListRevisionsResponse, error) {
	below, err := fromPageToken(req.GetPageToken(), int64(0))
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	trail, err := m.trail(ctx, req, below, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListRevisionsResponse{}
	if len(trail) > size {
		trail = trail[:size]
		res.NextPageToken = toPageToken(trail[size-1].Number)
	}
	for _, r := range trail {
		res.Revisions = append(res.Revisions, toProtoRevision(r))
	}
	return res, nil
}

// trail of one item, or of everything.
func (m *Management) trail(ctx context.Context, req *contentv1.ListRevisionsRequest, below int64, most int) ([]store.Revision, error) {
	if req.GetKey() == nil {
		return m.store.AllRevisions(ctx, environment(req), req.GetSearch(), below, most)
	}
	return m.store.Revisions(ctx, fromProtoKey(req.GetKey()), req.GetSearch(), below, most)
}
