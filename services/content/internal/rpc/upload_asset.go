package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/markup"
)

// UploadAsset keeps the file and makes a draft of an asset. The same request again answers the asset as it is by now.
// Errors: assets.ErrInvalid, assets.ErrRemoving, entry.ErrExists.
func (m *Management) UploadAsset(ctx context.Context, req *contentv1.UploadAssetRequest) (*contentv1.UploadAssetResponse, error) {
	locale, err := m.defaultLocale(ctx, environment(req))
	if err != nil {
		return nil, err
	}
	file, err := m.keep(ctx, req.GetFileName(), req.GetContent())
	if err != nil {
		return nil, err
	}
	fields := entry.Fields{"title": {locale: req.GetTitle()}, "file": {locale: file.Value()}}
	if req.GetDescription() != "" {
		fields["description"] = map[string]any{locale: req.GetDescription()}
	}
	key := entry.Key{Environment: environment(req), Kind: entry.KindAsset, ID: req.GetId()}
	made, err := m.create(ctx, key, "", entry.Draft{Fields: fields.Texts(markup.Clean)})
	if err != nil {
		return nil, err
	}
	item, err := toProtoItem(made)
	return &contentv1.UploadAssetResponse{Item: item}, err
}

// defaultLocale of an environment. Errors: entry.ErrNotFound.
func (m *Management) defaultLocale(ctx context.Context, environment string) (string, error) {
	locales, err := m.store.Locales(ctx, environment)
	if err == nil && len(locales) == 0 {
		err = entry.ErrNotFound
	}
	return locales.Default(), err
}
