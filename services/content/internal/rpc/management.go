package rpc

import (
	"context"
	"net/http"

	"connectrpc.com/connect"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/auth"
)

// Scopes of service accounts.
const (
	// ReadScope lets a service account read drafts and the audit log.
	ReadScope = "content.read"
	// WriteScope lets a service account change the content.
	WriteScope = "content.write"
)

// managementPolicy lets admins in, and service accounts with a scope.
func managementPolicy() auth.Policy {
	read := auth.Rule{Services: []string{"gateway"}, Admin: true, Scope: ReadScope}
	write := auth.Rule{Services: []string{"gateway"}, Admin: true, Scope: WriteScope}
	return auth.Policy{
		contentv1connect.ManagementServiceListEnvironmentsProcedure:  read,
		contentv1connect.ManagementServiceListContentTypesProcedure:  read,
		contentv1connect.ManagementServiceListItemsProcedure:         read,
		contentv1connect.ManagementServiceGetItemProcedure:           read,
		contentv1connect.ManagementServiceListRevisionsProcedure:     read,
		contentv1connect.ManagementServicePreviewTextProcedure:       read,
		contentv1connect.ManagementServiceCreateEnvironmentProcedure: write,
		contentv1connect.ManagementServiceDeleteEnvironmentProcedure: write,
		contentv1connect.ManagementServiceCreateItemProcedure:        write,
		contentv1connect.ManagementServiceUpdateItemProcedure:        write,
		contentv1connect.ManagementServiceChangeItemProcedure:        write,
		contentv1connect.ManagementServiceRestoreRevisionProcedure:   write,
		contentv1connect.ManagementServiceUploadAssetProcedure:       write,
	}
}

// MaxUpload is the largest request of UploadAsset, in bytes: a file of the largest size in JSON, with what stands around it.
const MaxUpload = 14 << 20

// ManagementStore is what the handlers need of the database.
type ManagementStore interface {
	Environments(ctx context.Context) ([]entry.Environment, error)
	CreateEnvironment(ctx context.Context, by entry.Actor, id string) (entry.Environment, error)
	// DeleteEnvironment may refuse with entry.ErrMaster.
	DeleteEnvironment(ctx context.Context, by entry.Actor, id string) error
	ContentTypes(ctx context.Context, environment string) ([]entry.ContentType, error)
	ContentType(ctx context.Context, environment, id string) (entry.ContentType, error)
	Counts(ctx context.Context, environment string) (map[string]int, error)
	Locales(ctx context.Context, environment string) (entry.Locales, error)
	Drafts(ctx context.Context, environment, contentType, search string, after store.Cursor, most int) ([]entry.Item, error)
	Item(ctx context.Context, key entry.Key) (entry.Item, error)
	Create(ctx context.Context, by entry.Actor, key entry.Key, contentType string, d entry.Draft) (entry.Item, error)
	Update(ctx context.Context, by entry.Actor, key entry.Key, version int, d entry.Draft) (entry.Item, error)
	Publish(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error)
	Unpublish(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error)
	Archive(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error)
	Unarchive(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error)
	Delete(ctx context.Context, by entry.Actor, key entry.Key, version int) error
	FieldsOf(ctx context.Context, key entry.Key, version int) (entry.Fields, error)
	Revisions(ctx context.Context, key entry.Key, search string, below int64, most int) ([]store.Revision, error)
	AllRevisions(ctx context.Context, environment, search string, below int64, most int) ([]store.Revision, error)
}

// Management answers ManagementService, one RPC in each file.
type Management struct {
	store ManagementStore
	keep  Keep
}

var _ contentv1connect.ManagementServiceHandler = (*Management)(nil)

// Keep keeps the file of an asset, and says what it is; see assets.Files.
type Keep func(ctx context.Context, name string, content []byte) (entry.File, error)

// NewManagement makes the handler.
func NewManagement(s ManagementStore, keep Keep) *Management { return &Management{s, keep} }

// Routes hands the service's path and handler to handle.
func (m *Management) Routes(handle func(path string, h http.Handler), options ...connect.HandlerOption) {
	handle(contentv1connect.NewManagementServiceHandler(m, options...))
}

// editor is the caller as the audit log names it: a member by uid, a service account by its client id.
func editor(ctx context.Context) entry.Actor {
	caller, _ := auth.CallerFrom(ctx)
	if caller.IsAccount() {
		return entry.Actor{Name: caller.Service, Editor: true}
	}
	return entry.Actor{Name: caller.Subject.UID, Editor: true}
}

// contentType that the key's item has; empty in a request for an asset.
func (m *Management) contentType(ctx context.Context, key entry.Key, id string) (entry.ContentType, error) {
	if key.Kind == entry.KindAsset {
		return entry.Asset(), nil
	}
	return m.store.ContentType(ctx, key.Environment, id)
}

const defaultPage = 50

// pageSize that was asked for; the contract has bounded it.
func pageSize(asked int32) int {
	if asked == 0 {
		return defaultPage
	}
	return int(asked)
}
