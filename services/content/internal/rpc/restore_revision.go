package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
)

// RestoreRevision makes a draft of what an earlier version held, of those fields that the content type still has.
// Errors: those of UpdateItem.
func (m *Management) RestoreRevision(ctx context.Context, req *contentv1.RestoreRevisionRequest) (*contentv1.RestoreRevisionResponse, error) {
	key := fromProtoKey(req.GetKey())
	fields, err := m.store.FieldsOf(ctx, key, int(req.GetRevision()))
	if err != nil {
		return nil, err
	}
	item, err := m.rewrite(ctx, key, int(req.GetVersion()), func(t entry.ContentType) entry.Fields { return t.Present(fields) }, nil)
	return &contentv1.RestoreRevisionResponse{Item: item}, err
}
