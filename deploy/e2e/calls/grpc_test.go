package calls

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"serein.app/deploy/e2e/access"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/auth"
)

const ledgerScope = "billing.ledger.read"

func TestAServiceAccountReadsAMembersLedgerOverGRPC(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	made, err := member.Generate(ctx, harness.SmallRequest("Rain on a tin roof"))
	require.NoError(t, err)
	ended, err := member.AwaitEnd(ctx, made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())

	entries, err := product.Ledger(ctx, member.UID)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	spend, grant := entries[0], entries[1]
	trial := product.TrialCredits(ctx, t)
	require.Equal(t, []any{"spend", int64(-1), trial - 1}, []any{spend.GetKind(), spend.GetChange(), spend.GetBalanceAfter()})
	require.Equal(t, []any{"grant", trial, trial}, []any{grant.GetKind(), grant.GetChange(), grant.GetBalanceAfter()})
	require.Contains(t, spend.GetReference(), made.GetId())
	require.False(t, spend.GetTime().AsTime().Before(grant.GetTime().AsTime()), "newest first")
}

func TestALedgerOfNobodyIsEmpty(t *testing.T) {
	t.Parallel()
	entries, err := product.Ledger(t.Context(), uuid.NewString())
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestAServiceAccountIsRefusedWhatItsScopeDoesNotAllow(t *testing.T) {
	t.Parallel()
	conn := dial(t, "billing")
	own, err := product.Token(t.Context(), stack.OtherClient, "mail.read")
	require.NoError(t, err)
	_, err = harness.ListLedger(harness.Bearer(t.Context(), own), conn, uuid.NewString())
	requireStatus(t, err, codes.PermissionDenied, "FORBIDDEN")

	_, err = product.Token(t.Context(), stack.OtherClient, ledgerScope)
	require.ErrorContains(t, err, "invalid_scope", "a scope that was never granted")

	// Reading ledgers is no right to move credits.
	reports, err := product.Token(t.Context(), stack.ReportsClient, ledgerScope)
	require.NoError(t, err)
	err = conn.Invoke(harness.Bearer(t.Context(), reports), billingv1connect.CreditServiceHoldProcedure,
		harness.HoldOf(uuid.NewString(), 1), &billingv1.HoldResponse{})
	requireStatus(t, err, codes.PermissionDenied, "FORBIDDEN")
}

func TestEveryServiceShowsItselfOverGRPC(t *testing.T) {
	t.Parallel()
	for _, service := range stack.Services() {
		own := access.ServicesOf(service)
		require.NotEmpty(t, own, service)
		conn := dial(t, service)
		require.ElementsMatch(t, append(own, "grpc.health.v1.Health"), listed(t, conn), service)
		health := grpc_health_v1.NewHealthClient(conn)
		for _, name := range append(own, "") {
			res, err := health.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: name})
			require.NoError(t, err, name)
			require.Equal(t, grpc_health_v1.HealthCheckResponse_SERVING, res.GetStatus(), name)
		}
		_, err := health.Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: "serein.nobody.v1.Nothing"})
		require.Equal(t, codes.NotFound, status.Code(err))
	}
}

func TestANewMembersBasketIsEmptyOverGRPC(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	signer, err := auth.NewSigner("gateway", product.ServiceKey("gateway"))
	require.NoError(t, err)
	proof, err := signer.Token("basket", auth.Subject{UID: uuid.NewString()})
	require.NoError(t, err)
	res := &basketv1.GetBasketResponse{}
	require.NoError(t, dial(t, "basket").Invoke(harness.Bearer(ctx, proof),
		basketv1connect.BasketServiceGetBasketProcedure, &basketv1.GetBasketRequest{}, res))
	require.NotNil(t, res.GetBasket())
	require.Empty(t, res.GetBasket().GetId())
	require.Empty(t, res.GetBasket().GetLines())
}

func dial(t *testing.T, service string) *grpc.ClientConn {
	t.Helper()
	conn, err := product.Dial(service)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// listed are the services that reflection names.
func listed(t *testing.T, conn *grpc.ClientConn) []string {
	t.Helper()
	stream, err := grpc_reflection_v1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	require.NoError(t, err)
	require.NoError(t, stream.Send(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{},
	}))
	res, err := stream.Recv()
	require.NoError(t, err)
	require.NoError(t, stream.CloseSend())
	var names []string
	for _, service := range res.GetListServicesResponse().GetService() {
		names = append(names, service.GetName())
	}
	return names
}
