package gateway

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

const secondStepCall = "/serein.web.v1.SecondStepService/"

// secondStepFake is identity's part that keeps the second step: everybody's is on. One password is right, and one ceremony with its code.
type secondStepFake struct{ *services }

var errCode = errs.New(errs.Invalid, errorsv1.Reason_REASON_CODE_MISMATCH, "That code does not match.").On("code")

// secondStepPolicy is what identity lets the gateway ask beside the rest.
func secondStepPolicy(policy auth.Policy) auth.Policy {
	for _, procedure := range []string{
		identityv1connect.SecondStepServiceGetSecondStepProcedure, identityv1connect.SecondStepServiceBeginSecondStepProcedure,
		identityv1connect.SecondStepServiceFinishSecondStepProcedure, identityv1connect.SecondStepServiceNewRecoveryCodesProcedure,
		identityv1connect.SecondStepServiceRemoveSecondStepProcedure,
	} {
		policy[procedure] = auth.Rule{Services: []string{"gateway"}, Member: true}
	}
	return policy
}

func (f secondStepFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(identityv1connect.NewSecondStepServiceHandler(f, r.Options()...))
}

func secondStepOn() *identityv1.SecondStep {
	return &identityv1.SecondStep{OnSince: &timestamppb.Timestamp{Seconds: 1764000000}, RecoveryCodesLeft: 9}
}

func (f secondStepFake) GetSecondStep(ctx context.Context, _ *identityv1.GetSecondStepRequest) (*identityv1.GetSecondStepResponse, error) {
	return &identityv1.GetSecondStepResponse{SecondStep: secondStepOn()}, f.fault(ctx)
}

func (f secondStepFake) BeginSecondStep(ctx context.Context, req *identityv1.BeginSecondStepRequest) (*identityv1.BeginSecondStepResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.BeginSecondStepResponse{Ceremony: "sealed", Secret: "JBSWY3DP", Address: "otpauth://totp/Serein:amara"}, f.fault(ctx)
}

func (f secondStepFake) FinishSecondStep(ctx context.Context, req *identityv1.FinishSecondStepRequest) (*identityv1.FinishSecondStepResponse, error) {
	if req.GetCeremony() != "sealed" || req.GetSid() != "session-1" || req.GetCode() != "123 456" {
		return nil, errCode
	}
	return &identityv1.FinishSecondStepResponse{RecoveryCodes: []string{"aaaa-bbbb-cccc-dddd"}, SecondStep: secondStepOn()}, f.fault(ctx)
}

func (f secondStepFake) NewRecoveryCodes(ctx context.Context, req *identityv1.NewRecoveryCodesRequest) (*identityv1.NewRecoveryCodesResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.NewRecoveryCodesResponse{RecoveryCodes: []string{"eeee-ffff-gggg-hhhh"}, SecondStep: secondStepOn()}, f.fault(ctx)
}

func (f secondStepFake) RemoveSecondStep(ctx context.Context, req *identityv1.RemoveSecondStepRequest) (*identityv1.RemoveSecondStepResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.RemoveSecondStepResponse{SecondStep: &identityv1.SecondStep{}}, f.fault(ctx)
}

func TestASecondStepIsTurnedOnAndOffByTheSessionThatGivesThePassword(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.withSession(t)
	call := func(method, body string) answer { return b.call(t, secondStepCall+method, body) }
	require.Contains(t, call("GetSecondStep", "{}").body, `"recoveryCodesLeft":9`)
	require.Equal(t, "NOT_AUTHORIZED", call("BeginSecondStep", `{"presentPassword":"a wrong one"}`).reason(t))
	require.Contains(t, call("BeginSecondStep", `{"presentPassword":"the right one"}`).body, `"secret":"JBSWY3DP"`)
	require.Equal(t, "CODE_MISMATCH", call("FinishSecondStep", `{"ceremony":"sealed","code":"654321"}`).reason(t))
	require.Equal(t, "INVALID_ARGUMENT", call("FinishSecondStep", `{"ceremony":"sealed","code":"12345678901234567"}`).reason(t))
	require.Contains(t, call("FinishSecondStep", `{"ceremony":"sealed","code":"123 456"}`).body, "aaaa-bbbb-cccc-dddd")
	require.Equal(t, "NOT_AUTHORIZED", call("NewRecoveryCodes", `{"presentPassword":"a wrong one"}`).reason(t))
	require.Contains(t, call("NewRecoveryCodes", `{"presentPassword":"the right one"}`).body, "eeee-ffff-gggg-hhhh")
	require.Equal(t, "NOT_AUTHORIZED", call("RemoveSecondStep", `{"presentPassword":"a wrong one"}`).reason(t))
	require.NotContains(t, call("RemoveSecondStep", `{"presentPassword":"the right one"}`).body, "onSince")
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, secondStepCall+"GetSecondStep", "{}").StatusCode)
}
