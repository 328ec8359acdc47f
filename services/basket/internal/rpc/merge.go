package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/platform/auth"
)

// Merge brings a guest's basket into the member's, once.
func (h *Handler) Merge(ctx context.Context, req *basketv1.MergeRequest) (*basketv1.MergeResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	guest, err := uuid.Parse(req.GetGuestId())
	if err != nil {
		return nil, err
	}
	b, merged, err := h.store.Merge(ctx, uid, guest, h.at())
	if err != nil {
		h.refused(ctx, err)
		return nil, err
	}
	return &basketv1.MergeResponse{Basket: toProto(b), Merged: merged}, nil
}
