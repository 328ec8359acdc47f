// Package rpc answers the other services: sign-up for the gateway, profiles and consents for members,
// and whether a token's grant stands.
package rpc

import (
	"context"

	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/auth"
)

// Policy says who may call what. Sign-up has no member yet; a profile is the caller's own.
func Policy() auth.Policy {
	gateway := []string{"gateway"}
	return auth.Policy{
		identityv1connect.SignUpServiceSignUpProcedure:                 {Services: gateway},
		identityv1connect.SignUpServiceConfirmSignUpProcedure:          {Services: gateway},
		identityv1connect.SignUpServiceResendConfirmationCodeProcedure: {Services: gateway},
		identityv1connect.InviteServiceGetInviteProcedure:              {Services: gateway}, // a visitor's too
		identityv1connect.DeletionServiceScheduleDeletionProcedure:     {Services: gateway, Member: true},
		identityv1connect.UserServiceGetUserProcedure:                  {Services: gateway, Member: true, Delegated: true},
		identityv1connect.ConsentServiceGetConsentsProcedure:           {Services: gateway, Member: true},
		identityv1connect.ConsentServiceRecordConsentsProcedure:        {Services: gateway, Member: true},
		identityv1connect.AccountServiceGetAccountProcedure:            {Services: gateway, Member: true},
		identityv1connect.AccountServiceChangeNameProcedure:            {Services: gateway, Member: true},
		identityv1connect.AccountServiceChangePasswordProcedure:        {Services: gateway, Member: true},
		identityv1connect.AccountServiceBeginAddressChangeProcedure:    {Services: gateway, Member: true},
		identityv1connect.AccountServiceConfirmAddressChangeProcedure:  {Services: gateway, Member: true},
		identityv1connect.AccountServiceStopAddressChangeProcedure:     {Services: gateway, Member: true},
		identityv1connect.DeviceServiceListDevicesProcedure:            {Services: gateway, Member: true},
		identityv1connect.DeviceServiceEndDeviceProcedure:              {Services: gateway, Member: true},
		identityv1connect.DeviceServiceEndOtherDevicesProcedure:        {Services: gateway, Member: true},
		identityv1connect.PasskeyServiceListPasskeysProcedure:          {Services: gateway, Member: true},
		identityv1connect.PasskeyServiceBeginPasskeyProcedure:          {Services: gateway, Member: true},
		identityv1connect.PasskeyServiceFinishPasskeyProcedure:         {Services: gateway, Member: true},
		identityv1connect.PasskeyServiceRemovePasskeyProcedure:         {Services: gateway, Member: true},
		identityv1connect.SecondStepServiceGetSecondStepProcedure:      {Services: gateway, Member: true},
		identityv1connect.SecondStepServiceBeginSecondStepProcedure:    {Services: gateway, Member: true},
		identityv1connect.SecondStepServiceFinishSecondStepProcedure:   {Services: gateway, Member: true},
		identityv1connect.SecondStepServiceNewRecoveryCodesProcedure:   {Services: gateway, Member: true},
		identityv1connect.SecondStepServiceRemoveSecondStepProcedure:   {Services: gateway, Member: true},
		identityv1connect.AppServiceListAppConsentsProcedure:           {Services: gateway, Member: true},
		identityv1connect.AppServiceRevokeAppConsentsProcedure:         {Services: gateway, Member: true},
		identityv1connect.GrantServiceGetGrantProcedure:                {Services: gateway},
	}
}

// SignUpHandler implements serein.identity.v1.SignUpService.
type SignUpHandler struct {
	registry account.Registry
	// accounts are ours; nil where an external pool is the registry.
	accounts *account.Service
	provider *oidcop.Provider
}

// NewSignUp is the handler of sign-up. provider signs in who confirms in the browser that signed up.
func NewSignUp(registry account.Registry, provider *oidcop.Provider) *SignUpHandler {
	own, _ := registry.(account.Own)
	return &SignUpHandler{registry: registry, accounts: own.Service, provider: provider}
}

// signedUpHere finds the account that the browser proves it has signed up; not here: another way counts.
func (h *SignUpHandler) signedUpHere(ctx context.Context, username, proof string) (account.Account, bool, error) {
	if h.accounts == nil || proof == "" {
		return account.Account{}, false, nil
	}
	return h.accounts.SignedUpHere(ctx, username, proof)
}

// InviteHandler implements serein.identity.v1.InviteService.
type InviteHandler struct{ accounts *account.Service }

// NewInvite is the handler of invitations.
func NewInvite(accounts *account.Service) *InviteHandler { return &InviteHandler{accounts: accounts} }

// DeletionHandler implements serein.identity.v1.DeletionService.
type DeletionHandler struct{ accounts *account.Service }

// NewDeletion is the handler of deletions.
func NewDeletion(accounts *account.Service) *DeletionHandler {
	return &DeletionHandler{accounts: accounts}
}

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

// AccountHandler implements serein.identity.v1.AccountService.
type AccountHandler struct{ accounts *account.Service }

// NewAccount is the handler of what members change at their accounts.
func NewAccount(accounts *account.Service) *AccountHandler {
	return &AccountHandler{accounts: accounts}
}

// Grants finds the grants behind access tokens; the provider implements it.
type Grants interface {
	TokenActive(ctx context.Context, tokenID string) (bool, error)
}

// GrantHandler implements serein.identity.v1.GrantService.
type GrantHandler struct{ grants Grants }

// NewGrant is the handler of grants.
func NewGrant(grants Grants) *GrantHandler { return &GrantHandler{grants: grants} }

var (
	_ identityv1connect.AccountServiceHandler  = (*AccountHandler)(nil)
	_ identityv1connect.GrantServiceHandler    = (*GrantHandler)(nil)
	_ identityv1connect.SignUpServiceHandler   = (*SignUpHandler)(nil)
	_ identityv1connect.InviteServiceHandler   = (*InviteHandler)(nil)
	_ identityv1connect.UserServiceHandler     = (*UserHandler)(nil)
	_ identityv1connect.ConsentServiceHandler  = (*ConsentHandler)(nil)
	_ identityv1connect.DeletionServiceHandler = (*DeletionHandler)(nil)
)
