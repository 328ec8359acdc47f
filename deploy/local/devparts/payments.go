package devparts

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"serein.app/services/testkit/paymentsandbox"
)

// runPayments is the payment provider that charges nobody. Its webhooks go to the product's own address.
func runPayments(ctx context.Context, c paymentsConfig) error {
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return err
	}
	sandbox, err := paymentsandbox.New(paymentsandbox.Config{
		Key: c.APIKey.Reveal(), URL: c.PaymentsURL, File: filepath.Join(c.DataDir, "payments.json"),
		Webhook: paymentsandbox.Webhook{URL: c.PublicURL + "/webhooks/payments", Secrets: []string{c.WebhookSecret.Reveal()}},
		Log:     slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, c.PageAddr, sandbox), sandbox.Close())
}
