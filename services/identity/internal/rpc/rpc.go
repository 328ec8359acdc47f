// Package rpc answers the other services: sign-up for the gateway, profiles and consents for members,
// and whether a token's grant stands.
package rpc

import (
	"context"

	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// Policy says who may call what. Sign-up has no member yet; a profile is the caller's own.
func Policy() auth.Policy {
	gateway := []string{"gateway"}
	return auth.Policy{
		identityv1connect.SignUpServiceSignUpProcedure:                 {Services: gateway},
		identityv1connect.SignUpServiceConfirmSignUpProcedure:          {Services: gateway},
		identityv1connect.SignUpServiceResendConfirmationCodeProcedure: {Services: gateway},
		identityv1connect.UserServiceGetUserProcedure:                  {Services: gateway, Member: true, Delegated: true},
		identityv1connect.ConsentServiceGetConsentsProcedure:           {Services: gateway, Member: true},
		identityv1connect.ConsentServiceRecordConsentsProcedure:        {Services: gateway, Member: true},
		identityv1connect.GrantServiceGetGrantProcedure:                {Services: gateway},
	}
}

// SignUpHandler implements serein.identity.v1.SignUpService.
type SignUpHandler struct{ accounts *account.Service }

// NewSignUp is the handler of sign-up.
func NewSignUp(accounts *account.Service) *SignUpHandler { return &SignUpHandler{accounts: accounts} }

// UserHandler implements serein.identity.v1.UserService.
type UserHandler struct{ accounts *account.Service }

// NewUser is the handler of profiles.
func NewUser(accounts *account.Service) *UserHandler { return &UserHandler{accounts: accounts} }

// ConsentHandler implements serein.identity.v1.ConsentService.
type ConsentHandler struct{ accounts *account.Service }

// NewConsent is the handler of consents.
func NewConsent(accounts *account.Service) *ConsentHandler {
	return &ConsentHandler{accounts: accounts}
}

// Grants knows the grants behind access tokens; the provider does.
type Grants interface {
	Stands(ctx context.Context, tokenID string) (bool, error)
}

// GrantHandler implements serein.identity.v1.GrantService.
type GrantHandler struct{ grants Grants }

// NewGrant is the handler of grants.
func NewGrant(grants Grants) *GrantHandler { return &GrantHandler{grants: grants} }

var (
	_ identityv1connect.GrantServiceHandler   = (*GrantHandler)(nil)
	_ identityv1connect.SignUpServiceHandler  = (*SignUpHandler)(nil)
	_ identityv1connect.UserServiceHandler    = (*UserHandler)(nil)
	_ identityv1connect.ConsentServiceHandler = (*ConsentHandler)(nil)
)
