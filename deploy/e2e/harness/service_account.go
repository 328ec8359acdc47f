package harness

import (
	"context"
	"fmt"
	"net/url"

	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"serein.app/deploy/e2e/wait"
	"serein.app/deploy/local/stack"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/platform/auth"
)

// MemberToken signs the member in to the companion, an app of somebody else's, and gives the access
// token that it gets in the member's name.
func (m *Member) MemberToken(ctx context.Context, scopes ...string) (string, error) {
	h := m.harness
	app := oauth2.Config{
		ClientID: stack.CompanionClient, ClientSecret: h.ClientSecret(stack.CompanionClient), RedirectURL: h.CompanionURL(),
		Scopes:   append([]string{"openid"}, scopes...),
		Endpoint: oauth2.Endpoint{AuthURL: h.Issuer() + "/oauth/authorize", TokenURL: h.Issuer() + "/oauth/token"},
	}
	verifier := oauth2.GenerateVerifier()
	page, err := m.LetIn(ctx, app.AuthCodeURL(uuid.NewString(), oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		return "", err
	}
	token, err := app.Exchange(ctx, page.Request.URL.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return "", fmt.Errorf("exchange the code that came to %s: %w", page.Request.URL.Path, err)
	}
	return token.AccessToken, nil
}

// LetIn opens an app's request to act for the member and allows it. The provider knows the browser
// and asks for no password. It does not ask a member who has allowed the same before.
func (m *Member) LetIn(ctx context.Context, address string) (Page, error) {
	page, err := m.Get(ctx, address)
	if err != nil || page.Request.URL.Path != "/sign-in/consent" {
		return page, err
	}
	return m.Submit(ctx, page, map[string]string{"answer": "allow"})
}

// Dial is a gRPC connection to a service's own port.
func (h *Harness) Dial(service string) (*grpc.ClientConn, error) {
	address, err := url.Parse(h.ServiceURL(service))
	if err != nil {
		return nil, err
	}
	return grpc.NewClient(address.Host, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(
		fmt.Sprintf(`{"methodConfig": [{"name": [{}], "timeout": "%gs"}]}`, wait.Patience.Seconds()),
	))
}

// Bearer makes calls with a token; an empty one is no token.
func Bearer(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// Ledger reads a member's ledger, newest first, as the service account that may.
func (h *Harness) Ledger(ctx context.Context, uid string) ([]*billingv1.LedgerEntry, error) {
	token, err := h.Token(ctx, stack.ReportsClient, "billing.ledger.read")
	if err != nil {
		return nil, err
	}
	conn, err := h.Dial("billing")
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	return ListLedger(Bearer(ctx, token), conn, uid)
}

// ListLedger asks for the ledger over gRPC, with whatever credentials ctx has.
func ListLedger(ctx context.Context, conn *grpc.ClientConn, uid string) ([]*billingv1.LedgerEntry, error) {
	res := &billingv1.ListLedgerEntriesResponse{}
	err := conn.Invoke(ctx, billingv1connect.LedgerServiceListLedgerEntriesProcedure,
		&billingv1.ListLedgerEntriesRequest{Uid: uid}, res)
	return res.GetEntries(), err
}

// ServiceToken proves a call to audience as one that the service of that name makes.
func (h *Harness) ServiceToken(service, audience string) (string, error) {
	signer, err := auth.NewSigner(service, h.ServiceKey(service))
	if err != nil {
		return "", err
	}
	return signer.Token(audience, auth.Subject{})
}

// Spend takes credits as generation does: it holds them and captures the hold.
func (h *Harness) Spend(ctx context.Context, uid string, amount int64) error {
	token, err := h.ServiceToken("generation", "billing")
	if err != nil {
		return err
	}
	conn, err := h.Dial("billing")
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ctx = Bearer(ctx, token)
	held := &billingv1.HoldResponse{}
	err = conn.Invoke(ctx, billingv1connect.CreditServiceHoldProcedure, HoldOf(uid, amount), held)
	if err != nil {
		return err
	}
	return conn.Invoke(ctx, billingv1connect.CreditServiceCaptureProcedure,
		&billingv1.CaptureRequest{HoldId: held.GetHold().GetId()}, &billingv1.CaptureResponse{})
}

// HoldOf asks for a hold that belongs to no meditation.
func HoldOf(uid string, amount int64) *billingv1.HoldRequest {
	return &billingv1.HoldRequest{
		Uid: uid, Amount: amount, IdempotencyKey: uuid.NewString(), Reference: "test:" + uuid.NewString(),
		TtlSeconds: 60,
	}
}
