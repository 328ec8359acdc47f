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
}

// AppHandler implements serein.identity.v1.AppService.
type AppHandler struct{ apps Apps }

var _ identityv1connect.AppServiceHandler = (*AppHandler)(nil)

// NewApp is the handler of what members let apps do.
func NewApp(apps Apps) *AppHandler { return &AppHandler{apps: apps} }

// ListAppConsents answers what the caller has let apps do.
func (h *AppHandler) ListAppConsents(ctx context.Context, _ *identityv1.ListAppConsentsRequest) (*identityv1.ListAppConsentsResponse, error) {
	uid, err := member(ctx)
	if err != nil {
		return nil, err
	}
	given, err := h.apps.AppConsents(ctx, uid)
	if err != nil {
		return nil, err
	}
	out := make([]*identityv1.AppConsent, len(given))
	for i, c := range given {
		out[i] = &identityv1.AppConsent{ClientId: c.ClientID, Name: c.Name, Scopes: c.Scopes, GivenAt: timestamppb.New(c.At)}
	}
	return &identityv1.ListAppConsentsResponse{Consents: out}, nil
}
