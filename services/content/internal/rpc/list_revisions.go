package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/pagetoken"
)

// ListRevisions pages through the audit log, newest first. Later changes do not affect the further pages.
func (m *Management) ListRevisions(ctx context.Context, req *contentv1.ListRevisionsRequest) (*contentv1.ListRevisionsResponse, error) {
	below, err := pagetoken.Decode(req.GetPageToken(), int64(0))
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	revisions, err := m.revisions(ctx, req, below, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListRevisionsResponse{}
	if len(revisions) > size {
		revisions = revisions[:size]
		res.NextPageToken = pagetoken.Encode(revisions[size-1].Number)
	}
	for _, r := range revisions {
		res.Revisions = append(res.Revisions, toProtoRevision(r))
	}
	return res, nil
}

// revisions reads the audit log of one item, or the whole audit log.
func (m *Management) revisions(ctx context.Context, req *contentv1.ListRevisionsRequest, below int64, most int) ([]store.Revision, error) {
	if req.GetKey() == nil {
		return m.store.AllRevisions(ctx, environment(req), req.GetSearch(), below, most)
	}
	return m.store.Revisions(ctx, fromProtoKey(req.GetKey()), req.GetSearch(), below, most)
}
