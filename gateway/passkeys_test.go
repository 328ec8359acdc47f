package gateway

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

const (
	passkeyCall = "/serein.web.v1.PasskeyService/"
	passkeyID   = "0193d0a4-0000-7000-8000-000000000003"
)

// passkeyFake is identity's part that keeps passkeys: everybody has one. One password is right, and one ceremony.
type passkeyFake struct{ *services }

var errPasskey = errs.New(errs.Invalid, errorsv1.Reason_REASON_PASSKEY_REFUSED, "That passkey didn’t work.")

// passkeyPolicy is what identity lets the gateway ask beside the rest.
func passkeyPolicy(policy auth.Policy) auth.Policy {
	return forMembers(policy,
		identityv1connect.PasskeyServiceListPasskeysProcedure, identityv1connect.PasskeyServiceBeginPasskeyProcedure,
		identityv1connect.PasskeyServiceFinishPasskeyProcedure, identityv1connect.PasskeyServiceRemovePasskeyProcedure,
	)
}

func (f passkeyFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(identityv1connect.NewPasskeyServiceHandler(f, r.Options()...))
}

func (f passkeyFake) ListPasskeys(ctx context.Context, _ *identityv1.ListPasskeysRequest) (*identityv1.ListPasskeysResponse, error) {
	return &identityv1.ListPasskeysResponse{Passkeys: []*identityv1.Passkey{{Id: passkeyID, Name: "Phone"}}}, f.fault(ctx)
}

func (f passkeyFake) BeginPasskey(ctx context.Context, req *identityv1.BeginPasskeyRequest) (*identityv1.BeginPasskeyResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.BeginPasskeyResponse{Ceremony: "sealed", Options: "{}"}, f.fault(ctx)
}

func (f passkeyFake) FinishPasskey(ctx context.Context, req *identityv1.FinishPasskeyRequest) (*identityv1.FinishPasskeyResponse, error) {
	if req.GetCeremony() != "sealed" || req.GetSid() != "session-1" || req.GetUserAgent() == "" {
		return nil, errPasskey
	}
	return &identityv1.FinishPasskeyResponse{Passkeys: []*identityv1.Passkey{{Id: passkeyID, Name: req.GetName()}}}, f.fault(ctx)
}

func (f passkeyFake) RemovePasskey(ctx context.Context, req *identityv1.RemovePasskeyRequest) (*identityv1.RemovePasskeyResponse, error) {
	if req.GetPresentPassword() != "the right one" {
		return nil, errPassword
	}
	return &identityv1.RemovePasskeyResponse{}, f.fault(ctx)
}

func TestAPasskeyIsAddedAndRemovedByTheSessionThatGivesThePassword(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.withSession(t)
	call := func(method, body string) answer { return b.call(t, passkeyCall+method, body) }
	require.Contains(t, call("ListPasskeys", "{}").body, `"most":10`)
	require.Equal(t, "NOT_AUTHORIZED", call("BeginPasskey", `{"presentPassword":"a wrong one"}`).reason(t))
	require.Contains(t, call("BeginPasskey", `{"presentPassword":"the right one"}`).body, `"ceremony":"sealed"`)
	require.Equal(t, "PASSKEY_REFUSED", call("FinishPasskey", `{"ceremony":"another","credential":"{}"}`).reason(t))
	require.Contains(t, call("FinishPasskey", `{"ceremony":"sealed","credential":"{}","name":"Tablet"}`).body, "Tablet")
	require.Equal(t, "NOT_AUTHORIZED", call("RemovePasskey", `{"id":"`+passkeyID+`","presentPassword":"a wrong one"}`).reason(t))
	require.NotContains(t, call("RemovePasskey", `{"id":"`+passkeyID+`","presentPassword":"the right one"}`).body, passkeyID)
	require.Equal(t, "INVALID_ARGUMENT", call("RemovePasskey", `{"id":"junk","presentPassword":"the right one"}`).reason(t))
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, passkeyCall+"ListPasskeys", "{}").StatusCode)
}
