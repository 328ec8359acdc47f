package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/platform/auth"
)

// PasskeyHandler implements serein.identity.v1.PasskeyService.
type PasskeyHandler struct{ passkeys *passkey.Service }

var _ identityv1connect.PasskeyServiceHandler = (*PasskeyHandler)(nil)

// NewPasskey is the handler of passkeys.
func NewPasskey(passkeys *passkey.Service) *PasskeyHandler {
	return &PasskeyHandler{passkeys: passkeys}
}

// signed is the caller with the session that theirs came of.
func signed(ctx context.Context, sid string) account.Signed {
	return account.Signed{UID: auth.Member(ctx), SID: sid}
}

// list answers the caller's passkeys as they stand.
func (h *PasskeyHandler) list(ctx context.Context) ([]*identityv1.Passkey, error) {
	found, err := h.passkeys.List(ctx, auth.Member(ctx))
	out := make([]*identityv1.Passkey, len(found))
	for i, p := range found {
		out[i] = &identityv1.Passkey{Id: p.ID.String(), Name: p.Name, AddedAt: timestamppb.New(p.AddedAt)}
		if p.UsedAt != nil {
			out[i].UsedAt = timestamppb.New(*p.UsedAt)
		}
	}
	return out, err
}
