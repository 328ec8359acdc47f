package rpc

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/oidcop"
)

// Apps knows what members let apps do; the provider does.
type Apps interface {
	AppConsents(ctx context.Context, uid uuid.UUID) ([]oidcop.ClientConsent, error)
	RevokeAppConsents(ctx context.Context, uid uuid.UUID, clientID string) error
}

// AppHandler implements serein.identity.v1.AppService.
type AppHandler struct{ apps Apps }

var _ identityv1connect.AppServiceHandler = (*AppHandler)(nil)

// NewApp is the handler of what members let apps do.
func NewApp(apps Apps) *AppHandler { return &AppHandler{apps: apps} }

// list answers a member's consents as they stand.
func (h *AppHandler) list(ctx context.Context, uid uuid.UUID) ([]*identityv1.AppConsent, error) {
	given, err := h.apps.AppConsents(ctx, uid)
	if err != nil {
		return nil, err
	}
	out := make([]*identityv1.AppConsent, len(given))
	for i, c := range given {
		out[i] = &identityv1.AppConsent{
			ClientId: c.ClientID, Name: c.Name, Scopes: c.Scopes, GivenAt: timestamppb.New(c.At), Revoked: c.Revoked, Permissions: c.Permissions,
		}
	}
	return out, nil
}
