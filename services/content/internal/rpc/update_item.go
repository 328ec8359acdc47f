package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
)

// UpdateItem replaces all fields that editors are offered. Errors: entry.ErrNotFound, entry.ErrVersion, entry.ErrArchived,
// entry.ErrInvalid.
func (m *Management) UpdateItem(ctx context.Context, req *contentv1.UpdateItemRequest) (*contentv1.UpdateItemResponse, error) {
	fields, err := fromProtoFields(req.GetFields())
	if err != nil {
		return nil, err
	}
	offered := func(t entry.ContentType) entry.Fields { return t.Offered(fields) }
	item, err := m.rewrite(ctx, fromProtoKey(req.GetKey()), int(req.GetVersion()), offered, req.GetLabels())
	return &contentv1.UpdateItemResponse{Item: item}, err
}

// rewrite gives the item other fields. What is the service's own stays, and so do tags and concepts where
// labels are nil.
func (m *Management) rewrite(
	ctx context.Context, key entry.Key, version int, fields func(entry.ContentType) entry.Fields, labels *contentv1.Labels,
) (*contentv1.Item, error) {
	before, err := m.store.Item(ctx, key)
	if err != nil {
		return nil, err
	}
	t, err := m.contentType(ctx, key, before.ContentType)
	if err != nil {
		return nil, err
	}
	draft := entry.Draft{Fields: t.Keep(before.Fields, fields(t)), Tags: before.Tags, Concepts: before.Concepts}
	if labels != nil {
		draft.Tags, draft.Concepts = labels.GetTags(), labels.GetConcepts()
	}
	after, err := m.store.Update(ctx, editor(ctx), key, version, draft)
	if err != nil {
		return nil, err
	}
	return toProtoItem(after)
}
