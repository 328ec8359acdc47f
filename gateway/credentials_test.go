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
	"serein.app/services/testkit/issuer"
)

const credential = "/serein.web.v1.CredentialService/"

// credentialFake is identity's part that members change their accounts by. One password is right.
type credentialFake struct {
	*services
	identityv1connect.UnimplementedAccountServiceHandler
}

var errPassword = errs.New(errs.Invalid, errorsv1.Reason_REASON_NOT_AUTHORIZED, "That isn’t your password.").On("present_password")

// credentialPolicy is what identity lets the gateway ask beside the rest.
func credentialPolicy(policy auth.Policy) auth.Policy {
	return forMembers(policy,
		identityv1connect.AccountServiceGetAccountProcedure, identityv1connect.AccountServiceChangeNameProcedure,
		identityv1connect.AccountServiceChangePasswordProcedure, identityv1connect.AccountServiceBeginAddressChangeProcedure,
		identityv1connect.AccountServiceConfirmAddressChangeProcedure, identityv1connect.AccountServiceStopAddressChangeProcedure,
	)
}

func (f credentialFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(identityv1connect.NewAccountServiceHandler(f, r.Options()...))
}

func (f credentialFake) GetAccount(ctx context.Context, _ *identityv1.GetAccountRequest) (*identityv1.GetAccountResponse, error) {
	return &identityv1.GetAccountResponse{Account: &identityv1.Account{Username: "ada", Email: "ada@example.org"}}, f.fault(ctx)
}

func (f credentialFake) ChangeName(ctx context.Context, req *identityv1.ChangeNameRequest) (*identityv1.ChangeNameResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	named := user(auth.Member(ctx), f.users[auth.Member(ctx)].GetAdmin())
	named.GivenName, named.FamilyName = req.GetGivenName(), req.GetFamilyName()
	f.users[auth.Member(ctx)] = named
	return &identityv1.ChangeNameResponse{Account: &identityv1.Account{GivenName: req.GetGivenName(), FamilyName: req.GetFamilyName()}}, nil
}

// ChangePassword wants the session that stays.
func (f credentialFake) ChangePassword(ctx context.Context, req *identityv1.ChangePasswordRequest) (*identityv1.ChangePasswordResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.ChangePasswordResponse{}, f.fault(ctx)
}

func (f credentialFake) BeginAddressChange(ctx context.Context, req *identityv1.BeginAddressChangeRequest) (*identityv1.BeginAddressChangeResponse, error) {
	if req.GetPresentPassword() != "the right one" || req.GetSid() != "session-1" {
		return nil, errPassword
	}
	return &identityv1.BeginAddressChangeResponse{Account: &identityv1.Account{Email: "ada@example.org", NewEmail: req.GetEmail()}}, f.fault(ctx)
}

func (f credentialFake) ConfirmAddressChange(ctx context.Context, _ *identityv1.ConfirmAddressChangeRequest) (*identityv1.ConfirmAddressChangeResponse, error) {
	return &identityv1.ConfirmAddressChangeResponse{Account: &identityv1.Account{Email: "ada@new.example"}}, f.fault(ctx)
}

// withSession is a member whose session at the provider has a name.
func (s *stack) withSession(tb testing.TB) *browser {
	tb.Helper()
	s.op.With(func(b *issuer.Behaviour) { b.Claims = map[string]any{"sid": "session-1"} })
	return s.member(tb)
}

func TestAPasswordIsChangedForTheSessionThatAsksAndAWrongOneMakesNobodyAVisitor(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.withSession(t)
	wrong := b.call(t, credential+"ChangePassword", `{"presentPassword":"a wrong one","password":"seven quiet herons"}`)
	require.Equal(t, http.StatusBadRequest, wrong.StatusCode)
	require.Equal(t, "NOT_AUTHORIZED", wrong.reason(t))
	require.Equal(t, http.StatusOK, b.call(t, credential+"ChangePassword", `{"presentPassword":"the right one","password":"seven quiet herons"}`).StatusCode)
	require.Equal(t, "INVALID_ARGUMENT", b.call(t, credential+"ChangePassword", `{"presentPassword":"the right one","password":"short"}`).reason(t))
	require.Equal(t, http.StatusOK, b.call(t, credential+"BeginAddressChange", `{"presentPassword":"the right one","email":"ada@new.example"}`).StatusCode)
	require.Contains(t, b.call(t, getSession, "{}").body, `"givenName":"Ada"`)
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, credential+"ChangePassword", `{}`).StatusCode)
}

func TestAChangedNameOrAddressShowsAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.withSession(t)
	s.op.With(func(i *issuer.Behaviour) { i.Claims = map[string]any{"sid": "session-1", "given_name": "Augusta"} })
	require.Equal(t, http.StatusOK, b.call(t, credential+"ChangeName", `{"givenName":"Augusta","familyName":"Lovelace"}`).StatusCode)
	require.Contains(t, b.call(t, getSession, "{}").body, `"givenName":"Augusta"`)
	s.op.With(func(i *issuer.Behaviour) {
		i.Claims = map[string]any{"sid": "session-1", "given_name": "Augusta", "email": "ada@new.example"}
	})
	require.Equal(t, http.StatusOK, b.call(t, credential+"ConfirmAddressChange", `{"presentCode":"123456","newCode":"654321"}`).StatusCode)
	require.Contains(t, b.call(t, getSession, "{}").body, `"email":"ada@new.example"`)
}
