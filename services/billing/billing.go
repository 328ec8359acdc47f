// Package billing owns plans, the free trial, the credit ledger, and what is sold: prices, checkouts and orders. See README.md.
package billing

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"serein.app/services/billing/internal/events"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/rpc"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/platform/config"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "billing"

// Config of the service; see README.md for the variables.
type Config struct {
	service.Config
	Stripe StripeConfig
	// PublicURL is the gateway's address as members know it; ContentURL the content service's.
	PublicURL  string `env:"PUBLIC_URL,required"`
	ContentURL string `env:"CONTENT_URL,required"`
	// PromotionCodes are taken on the provider's page.
	PromotionCodes bool `env:"PROMOTION_CODES" envDefault:"false"`
	// GodControls are operators' acts on plans, for admins.
	GodControls bool `env:"GOD_CONTROLS" envDefault:"false"`
	// VATPercent is contained in every price; 0 where none is charged.
	VATPercent int32 `env:"VAT_PERCENT" envDefault:"0"`
	// VATNumber is the house's, for receipts; needed where VAT is charged.
	VATNumber string `env:"VAT_NUMBER"`
	// ReceiptFrom are the lines of the house's name and address on receipts.
	ReceiptFrom []string `env:"RECEIPT_FROM"`
	// DeliveryAmount in minor units, for whatever an order holds, to DeliveryCountries.
	DeliveryAmount    int64    `env:"DELIVERY_AMOUNT" envDefault:"0"`
	DeliveryCountries []string `env:"DELIVERY_COUNTRIES" envDefault:"GB"`
}

// StripeConfig is how the payment provider is reached.
type StripeConfig struct {
	// APIKey is the secret key.
	APIKey config.Secret `env:"STRIPE_API_KEY,required"`
	// WebhookSecrets sign webhooks, the newest first: while one is replaced there are two.
	WebhookSecrets []config.Secret `env:"STRIPE_WEBHOOK_SECRET,required"`
	// APIURL is empty for Stripe's own.
	APIURL string `env:"STRIPE_API_URL"`
	// Live says that real money is taken.
	Live bool `env:"STRIPE_LIVE" envDefault:"false"`
}

// Validate finds what cannot work, and secrets that could be guessed.
func (c StripeConfig) Validate() error {
	_, err := stripe.New(c.provider())
	return err
}

func (c StripeConfig) provider() stripe.Config {
	return stripe.Config{APIKey: c.APIKey, WebhookSecrets: c.WebhookSecrets, APIURL: c.APIURL, Live: c.Live}
}

func website(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

var country = regexp.MustCompile(`^[A-Z]{2}$`)

// Validate finds what cannot work.
func (c *Config) Validate() error {
	faults := []error{c.Config.Validate(), c.Stripe.Validate()}
	for name, address := range map[string]string{"PUBLIC_URL": c.PublicURL, "CONTENT_URL": c.ContentURL} {
		if !website(address) {
			faults = append(faults, fmt.Errorf("%s is not the address of a website", name))
		}
	}
	if c.VATPercent < 0 || c.VATPercent > 100 {
		faults = append(faults, errors.New("VAT_PERCENT: want 0 to 100"))
	}
	if c.VATPercent > 0 && c.VATNumber == "" {
		faults = append(faults, errors.New("VAT_NUMBER: a receipt that names VAT names the number it is paid under"))
	}
	if c.DeliveryAmount < 0 {
		faults = append(faults, errors.New("DELIVERY_AMOUNT: want 0 or more"))
	}
	for _, code := range c.DeliveryCountries {
		if !country.MatchString(code) {
			faults = append(faults, fmt.Errorf("DELIVERY_COUNTRIES: %q is not a country's code of two letters", code))
		}
	}
	return errors.Join(faults...)
}

func (c *Config) terms() sales.Terms {
	return sales.Terms{
		Live: c.Stripe.Live, VATPercent: c.VATPercent, DeliveryAmount: c.DeliveryAmount, DeliveryCountries: c.DeliveryCountries,
		PromotionCodes: c.PromotionCodes, PublicURL: strings.TrimSuffix(c.PublicURL, "/"),
	}
}

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{
		Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(),
		Consumes: events.Consumes(),
		Commands: map[string]service.Command{
			"prices": pricesCommand(), "accept-price": acceptPriceCommand(),
			"codes": codesCommand(), "add-code": addCodeCommand(), "end-code": endCodeCommand(),
			"correct": correctCommand(),
		},
	}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), func(_ context.Context, s *service.Service) error {
		provider, err := stripe.New(cfg.Stripe.provider())
		if err != nil {
			return err
		}
		return build(s, cfg, provider)
	})
}
