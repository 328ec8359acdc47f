package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// GetItem answers the draft. Errors: entry.ErrNotFound.
func (m *Management) GetItem(ctx context.Context, req *contentv1.GetItemRequest) (*contentv1.GetItemResponse, error) {
	found, err := m.store.Item(ctx, fromProtoKey(req.GetKey()))
	if err != nil {
		return nil, err
	}
	item, err := toProtoItem(found)
	return &contentv1.GetItemResponse{Item: item}, err
}
