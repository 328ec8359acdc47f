// Package billing owns plans, the free trial, the credit ledger, and what is sold: prices, checkouts and orders. See README.md.
package billing

import (
	"context"
	"errors"
	"fmt"
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
	// PublicURL is the gateway's address as members know it: the payment provider's pages lead back there.
	PublicURL string `env:"PUBLIC_URL,required"`
	// ContentURL is the address of the content service, whose catalogue is sold.
	ContentURL string `env:"CONTENT_URL,required"`
	// PromotionCodes says that the payment provider's page asks for a promotion code.
	PromotionCodes bool `env:"PROMOTION_CODES" envDefault:"false"`
	// PaymentMethods are the kinds of payment that the payment provider's page offers, by its names, separated by commas. With one that takes
	// days, such as bacs_debit, an order is given when its money has come. Memberships are paid by card alone.
	PaymentMethods []string `env:"PAYMENT_METHODS" envDefault:"card"`
	// GodControls says that admins may reset and end members' plans.
	GodControls bool `env:"GOD_CONTROLS" envDefault:"false"`
	// VATPercent is the tax contained in every price, in per cent; 0 where none is charged.
	VATPercent int32 `env:"VAT_PERCENT" envDefault:"0"`
	// VATNumber is the number that the tax is paid under, for receipts; required where there is a tax.
	VATNumber string `env:"VAT_NUMBER"`
	// ReceiptFrom is the seller's name and address on receipts, its lines separated by commas.
	ReceiptFrom []string `env:"RECEIPT_FROM"`
	// DeliveryAmount is the price of sending an order of apparel, in minor units (pence).
	DeliveryAmount int64 `env:"DELIVERY_AMOUNT" envDefault:"0"`
	// DeliveryCountries are where orders are sent: codes of two letters, separated by commas.
	DeliveryCountries []string `env:"DELIVERY_COUNTRIES" envDefault:"GB"`
}

// StripeConfig is how the payment provider is reached.
type StripeConfig struct {
	// APIKey is the secret key of the payment provider.
	APIKey config.Secret `env:"STRIPE_API_KEY,required"`
	// WebhookSecrets sign the provider's webhooks, separated by commas, the newest first: while one is
	// replaced there are two. Each has at least 32 characters.
	WebhookSecrets []config.Secret `env:"STRIPE_WEBHOOK_SECRET,required"`
	// APIURL is the provider's address; empty: Stripe's own.
	APIURL string `env:"STRIPE_API_URL"`
	// Live says that real money is taken; the key must be of the same mode.
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

var (
	country = regexp.MustCompile(`^[A-Z]{2}$`)
	method  = regexp.MustCompile(`^[a-z_]+$`)
)

// Validate finds what cannot work.
func (c *Config) Validate() error {
	faults := []error{c.Config.Validate(), c.Stripe.Validate()}
	if c.VATPercent < 0 || c.VATPercent > 100 {
		faults = append(faults, errors.New("VAT_PERCENT: want 0 to 100"))
	}
	if c.VATPercent > 0 && c.VATNumber == "" {
		faults = append(faults, errors.New("VAT_NUMBER: a receipt that names VAT names the number it is paid under"))
	}
	if c.DeliveryAmount < 0 {
		faults = append(faults, errors.New("DELIVERY_AMOUNT: want 0 or more"))
	}
	if len(c.PaymentMethods) == 0 {
		faults = append(faults, errors.New("PAYMENT_METHODS: want one at least"))
	}
	for _, name := range c.PaymentMethods {
		if !method.MatchString(name) {
			faults = append(faults, fmt.Errorf("PAYMENT_METHODS: %q is not a name of the payment provider's, as card", name))
		}
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
		PaymentMethods: c.PaymentMethods,
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
			"correct": correctCommand(), "sent": sentCommand(), "call-off": callOffCommand(),
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
