package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
)

// ChangeItem takes a step. Errors: those of entry.Item's steps, entry.ErrNotFound, entry.ErrVersion, entry.ErrInvalid.
func (m *Management) ChangeItem(ctx context.Context, req *contentv1.ChangeItemRequest) (*contentv1.ChangeItemResponse, error) {
	key, version, by := fromProtoKey(req.GetKey()), int(req.GetVersion()), editor(ctx)
	if req.GetStep() == contentv1.Step_STEP_DELETE {
		return &contentv1.ChangeItemResponse{}, m.store.Delete(ctx, by, key, version)
	}
	step := map[contentv1.Step]func(context.Context, entry.Actor, entry.Key, int) (entry.Item, error){
		contentv1.Step_STEP_PUBLISH: m.store.Publish, contentv1.Step_STEP_UNPUBLISH: m.store.Unpublish,
		contentv1.Step_STEP_ARCHIVE: m.store.Archive, contentv1.Step_STEP_UNARCHIVE: m.store.Unarchive,
	}[req.GetStep()]
	after, err := step(ctx, by, key, version)
	if err != nil {
		return nil, err
	}
	item, err := toProtoItem(after)
	return &contentv1.ChangeItemResponse{Item: item}, err
}
