package devparts

import (
	"context"

	"serein.app/services/platform/config"
)

// inboxConfig is what the inbox reads from its environment.
type inboxConfig struct {
	// PageAddr is where its pages are, SMTPAddr where letters are taken.
	PageAddr string `env:"PAGE_ADDR,required"`
	SMTPAddr string `env:"SMTP_ADDR,required"`
	// DataDir keeps the letters.
	DataDir string `env:"DATA_DIR,required"`
	// MailURL is the mail service, whose samples of letters are shown.
	MailURL string `env:"MAIL_URL,required"`
}

// paymentsConfig is what the payment provider reads from its environment.
type paymentsConfig struct {
	// PageAddr is where its API and its pages are, PaymentsURL how browsers know them.
	PageAddr    string `env:"PAGE_ADDR,required"`
	PaymentsURL string `env:"PAYMENTS_URL,required"`
	// DataDir keeps what it knows.
	DataDir string `env:"DATA_DIR,required"`
	// PublicURL is the product, which takes the webhooks.
	PublicURL string `env:"PUBLIC_URL,required"`
	// APIKey lets callers in, WebhookSecret signs webhooks: the same as billing's.
	APIKey        config.Secret `env:"STRIPE_API_KEY,required"`
	WebhookSecret config.Secret `env:"STRIPE_WEBHOOK_SECRET,required"`
}

// configured runs a part with what it reads from environ.
func configured[C any](ctx context.Context, environ map[string]string, run func(context.Context, C) error) error {
	c, err := config.Load[C](environ)
	if err != nil {
		return err
	}
	return run(ctx, c)
}
