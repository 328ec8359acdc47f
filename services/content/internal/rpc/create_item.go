package rpc

import (
	"context"
	"errors"
	"reflect"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
)

// CreateItem makes a draft. The same request again answers the item as it is by now. Errors: entry.ErrExists,
// entry.ErrTypeNotFound, entry.ErrInvalid.
func (m *Management) CreateItem(ctx context.Context, req *contentv1.CreateItemRequest) (*contentv1.CreateItemResponse, error) {
	key := fromProtoKey(req.GetKey())
	if key.Kind == entry.KindAsset {
		return nil, entry.Refusal(entry.FieldErrors{{Field: "file", Name: "required", Details: "An asset begins with its file: upload it."}})
	}
	t, err := m.contentType(ctx, key, req.GetContentType())
	if err != nil {
		return nil, err
	}
	fields, err := fromProtoFields(req.GetFields())
	if err != nil {
		return nil, err
	}
	made, err := m.create(ctx, key, req.GetContentType(), entry.Draft{
		Fields: t.Offered(fields), Tags: req.GetLabels().GetTags(), Concepts: req.GetLabels().GetConcepts(),
	})
	if err != nil {
		return nil, err
	}
	item, err := toProtoItem(made)
	return &contentv1.CreateItemResponse{Item: item}, err
}

// create makes the draft, or finds the one that began in the same way.
func (m *Management) create(ctx context.Context, key entry.Key, contentType string, d entry.Draft) (entry.Item, error) {
	made, err := m.store.Create(ctx, editor(ctx), key, contentType, d)
	if !errors.Is(err, entry.ErrExists) {
		return made, err
	}
	there, ferr := m.store.Item(ctx, key)
	if ferr != nil {
		return there, ferr
	}
	begun, ferr := m.store.FieldsOf(ctx, key, 1)
	if ferr != nil || there.ContentType != contentType || !reflect.DeepEqual(begun, d.Fields) {
		return there, err
	}
	return there, nil
}
