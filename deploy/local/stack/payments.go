package stack

import (
	"context"
	"errors"
	"fmt"

	"serein.app/services/testkit/paymentsandbox"
)

// PaymentsURL is the payment provider's address in a browser and for programs.
func (s *Stack) PaymentsURL() string {
	return fmt.Sprintf("http://localhost:%d", s.settings.Ports["payments"])
}

// PaymentsKey is the API key of the payment provider, which its controls for tests want too.
func (s *Stack) PaymentsKey() string { return "sk_test_" + s.settings.password("payments.key") }

// PaymentsSecret signs what the payment provider tells.
func (s *Stack) PaymentsSecret() string { return "whsec_" + s.settings.password("payments.webhook") }

// startPayments starts the stand-in for the payment provider. Its webhooks go the way of the real one's: to the gateway.
func (s *Stack) startPayments(ctx context.Context) (running, error) {
	sandbox, err := paymentsandbox.New(paymentsandbox.Config{
		Key: s.PaymentsKey(), URL: s.PaymentsURL(), File: s.data("payments.json"),
		Webhook: paymentsandbox.Webhook{URL: s.URL() + "/webhooks/payments", Secrets: []string{s.PaymentsSecret()}},
	})
	if err != nil {
		return running{}, err
	}
	page, err := s.servePage(ctx, "payments", sandbox)
	if err != nil {
		return running{}, errors.Join(err, sandbox.Close())
	}
	return loop(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		<-page.done
		return errors.Join(page.err(), sandbox.Close())
	}), nil
}

func (s *Stack) billingEnviron() map[string]string {
	return map[string]string{
		"STRIPE_API_URL": "http://" + s.loopback("payments"), "STRIPE_API_KEY": s.PaymentsKey(), "STRIPE_WEBHOOK_SECRET": s.PaymentsSecret(),
		"PROMOTION_CODES": "true", "GOD_CONTROLS": "true",
	}
}
