package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/auth"
)

// ScheduleDeletion marks the caller's own account.
func (h *DeletionHandler) ScheduleDeletion(ctx context.Context, req *identityv1.ScheduleDeletionRequest) (*identityv1.ScheduleDeletionResponse, error) {
	at, err := h.accounts.ScheduleDeletion(ctx, account.Signed{UID: auth.Member(ctx), SID: req.GetSid()}, req.GetPassword(), req.GetAddress())
	if err != nil {
		return nil, err
	}
	return &identityv1.ScheduleDeletionResponse{DeletesAt: timestamppb.New(at)}, nil
}
