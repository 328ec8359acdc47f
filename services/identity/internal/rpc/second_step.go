package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/identity/internal/secondstep"
	"serein.app/services/platform/auth"
)

// SecondStepHandler implements serein.identity.v1.SecondStepService.
type SecondStepHandler struct{ second *secondstep.Service }

var _ identityv1connect.SecondStepServiceHandler = (*SecondStepHandler)(nil)

// NewSecondStep is the handler of the second step.
func NewSecondStep(second *secondstep.Service) *SecondStepHandler {
	return &SecondStepHandler{second: second}
}

// state answers how the caller's second step stands.
func (h *SecondStepHandler) state(ctx context.Context) (*identityv1.SecondStep, error) {
	s, err := h.second.State(ctx, auth.Member(ctx))
	if err != nil {
		return nil, err
	}
	out := &identityv1.SecondStep{RecoveryCodesLeft: int32(s.CodesLeft)}
	if s.OnSince != nil {
		out.OnSince = timestamppb.New(*s.OnSince)
	}
	return out, nil
}
