package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
)

// GetAccount answers how the caller signs in.
func (h *AccountHandler) GetAccount(ctx context.Context, _ *identityv1.GetAccountRequest) (*identityv1.GetAccountResponse, error) {
	a, err := h.account(ctx)
	if err != nil {
		return nil, err
	}
	return &identityv1.GetAccountResponse{Account: a}, nil
}

// account is the caller's own, with the change that waits.
func (h *AccountHandler) account(ctx context.Context) (*identityv1.Account, error) {
	a, err := h.accounts.ByUID(ctx, auth.Member(ctx))
	if err != nil {
		return nil, err
	}
	out := &identityv1.Account{Username: a.Username, Email: a.Email, GivenName: a.GivenName, FamilyName: a.FamilyName}
	c, waits, err := h.accounts.AddressChange(ctx, a)
	if waits {
		out.NewEmail, out.NewEmailExpires = c.Email, timestamppb.New(c.ExpiresAt)
	}
	return out, err
}
