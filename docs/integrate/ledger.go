package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
)

// ledgerScope is what the operator gives the client that reads ledgers.
const ledgerScope = "billing.ledger.read"

// pageSize is the most entries that billing gives at once.
const pageSize = 100

// calls give each call ten seconds, and try it again while billing is away: reading may be repeated, a call that changes something
// only with its idempotency key.
const calls = `{"methodConfig": [{"name": [{}], "timeout": "10s", "retryPolicy": {
	"maxAttempts": 5, "initialBackoff": "0.2s", "maxBackoff": "3s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]
}}]}`

// printLedger reads a member's ledger to its end.
func printLedger(ctx context.Context, files certificates, uid string, out io.Writer) error {
	conn, err := dialBilling(ctx, files)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	for token := ""; ; {
		page := &billingv1.ListLedgerEntriesResponse{}
		err := conn.Invoke(ctx, billingv1connect.LedgerServiceListLedgerEntriesProcedure,
			&billingv1.ListLedgerEntriesRequest{Uid: uid, PageSize: pageSize, PageToken: token}, page)
		if err != nil {
			return fmt.Errorf("ledger of %s: %w", uid, err)
		}
		for _, e := range page.GetEntries() {
			if _, err := fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%s\n", e.GetId(), e.GetKind(), e.GetChange(), e.GetBalanceAfter(),
				cmp.Or(e.GetReference(), e.GetDescription())); err != nil {
				return err
			}
		}
		if token = page.GetNextPageToken(); token == "" {
			return nil
		}
	}
}

// dialBilling is a connection on which each call brings this program's own token.
func dialBilling(ctx context.Context, files certificates) (*grpc.ClientConn, error) {
	env, err := environ("OIDC_ISSUER", "CLIENT_ID", "CLIENT_SECRET", "BILLING_URL")
	if err != nil {
		return nil, err
	}
	address, err := url.Parse(env["BILLING_URL"])
	if err != nil {
		return nil, errors.New("BILLING_URL is not an address")
	}
	secured := address.Scheme == "https"
	transport := insecure.NewCredentials()
	if secured {
		config, err := files.config()
		if err != nil {
			return nil, err
		}
		transport = credentials.NewTLS(config)
	}
	account := clientcredentials.Config{
		ClientID: env["CLIENT_ID"], ClientSecret: env["CLIENT_SECRET"], TokenURL: env["OIDC_ISSUER"] + "/oauth/token", Scopes: []string{ledgerScope},
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Timeout: 10 * time.Second})
	return grpc.NewClient(address.Host, grpc.WithTransportCredentials(transport), grpc.WithDefaultServiceConfig(calls),
		grpc.WithPerRPCCredentials(bearer{account.TokenSource(ctx), secured}))
}

// bearer brings the token of a source that keeps it, and gets another shortly before it expires.
type bearer struct {
	oauth2.TokenSource

	secured bool
}

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	token, err := b.Token()
	if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
		return nil, status.Errorf(codes.Unauthenticated, "no token: %v", err)
	}
	if err != nil {
		return nil, status.Errorf(codes.Unavailable, "no token: %v", err)
	}
	return map[string]string{"authorization": "Bearer " + token.AccessToken}, nil
}

// RequireTransportSecurity lets a token go in the clear where the address says so, as on one machine.
func (b bearer) RequireTransportSecurity() bool { return b.secured }
