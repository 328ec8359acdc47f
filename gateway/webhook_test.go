package gateway

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/webhook"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/telemetry"
)

// told sends what the payment provider would: no cookie of ours, and none of our headers.
func (b *browser) told(t *testing.T, body, signature string, headers ...string) answer {
	t.Helper()
	if signature != "" {
		headers = append(headers, webhook.SignatureHeader, signature)
	}
	return b.send(t, http.MethodPost, webhook.Path, strings.NewReader(body), append([]string{"Content-Type", "application/json; charset=utf-8"}, headers...)...)
}

func TestAWebhookReachesBillingByteByByte(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	provider := s.gateways[0].browser(t)
	raw := "{\n  \"id\": \"evt_1\",\t\"note\":\"\\u00a3 \x00\xff\xfe £\"} \r\n"
	got := provider.told(t, raw, "t=1,v1=aa,v0=bb", "Origin", "https://pay.example", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Empty(t, got.body)
	require.Len(t, s.services.webhooks, 1)
	require.Equal(t, []byte(raw), s.services.webhooks[0].GetPayload())
	require.Equal(t, "t=1,v1=aa,v0=bb", s.services.webhooks[0].GetSignature())
	require.Equal(t, auth.Subject{}, s.services.subjectOf(billingv1connect.WebhookServiceReceiveWebhookProcedure))

	whole := strings.Repeat("x", 256<<10)
	require.Equal(t, http.StatusOK, provider.told(t, whole, "v1").StatusCode)
	require.True(t, bytes.Equal([]byte(whole), s.services.webhooks[1].GetPayload()))
}

func TestAWebhookThatIsNoneIsRefusedWithoutAWord(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	member := s.member(t)
	for what, c := range map[string][2]string{
		"no signature": {"{}", ""}, "no body": {"", "v1"}, "a forged one": {"{}", "forged"}, "too long a signature": {"{}", strings.Repeat("x", 5000)},
		"too large": {strings.Repeat("x", 256<<10+1), "v1"}, "a signature that is no text": {"{}", "t=1,v1=\xff\xfe"},
	} {
		got := member.told(t, c[0], c[1])
		require.Equal(t, http.StatusBadRequest, got.StatusCode, what)
		require.Empty(t, got.body, what)
	}
	require.Empty(t, s.services.webhooks)
	require.Equal(t, 1, s.services.asks(billingv1connect.WebhookServiceReceiveWebhookProcedure), "only the forged one looked like one")
	for _, verb := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		require.Equal(t, http.StatusNotFound, member.send(t, verb, webhook.Path, nil, webhook.SignatureHeader, "v1").StatusCode, verb)
	}
	for _, path := range []string{"/webhooks", "/webhooks/", "/webhooks/payments/", "/webhooks/mail/", "/webhooks/other"} {
		require.Equal(t, http.StatusNotFound, member.send(t, http.MethodPost, path, strings.NewReader("{}"), webhook.SignatureHeader, "v1").StatusCode, path)
	}
}

// A forger writes as many lines as anybody else without proof: those of the security log, and they have a bound.
func TestAFloodOfForgedWebhooksDoesNotFillTheLog(t *testing.T) {
	t.Parallel()
	log := &journal{}
	s := start(t, 1, func(_ *Config, p *settings) {
		var err error
		p.tel, err = telemetry.SetupTo(t.Context(), "gateway", log)
		require.NoError(t, err)
	})
	forger := s.gateways[0].browser(t)
	log.all()
	for range 200 {
		require.Equal(t, http.StatusBadRequest, forger.told(t, "{}", "forged").StatusCode)
	}
	lines := log.all()
	require.Len(t, lines, 20, "all within one second")
	require.Contains(t, lines[0], `"outcome":"webhook_invalid"`)
	require.Contains(t, lines[0], `"procedure":"/webhooks/payments"`)
	require.Contains(t, lines[0], `"address_hash"`)
}

func TestWhatBillingCannotKeepIsSentAgain(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	provider := s.gateways[0].browser(t)
	for _, err := range []error{errAway, errs.ErrInternal, auth.ErrForbidden, auth.ErrUnauthenticated} {
		s.services.failing(billingv1connect.WebhookServiceReceiveWebhookProcedure, err)
		got := provider.told(t, "{}", "v1")
		require.Equal(t, http.StatusServiceUnavailable, got.StatusCode)
		require.Empty(t, got.body)
	}
	s.services.failing(billingv1connect.WebhookServiceReceiveWebhookProcedure, nil)
	require.Equal(t, http.StatusOK, provider.told(t, "{}", "v1").StatusCode)
	s.services.billing.Close()
	require.Equal(t, http.StatusServiceUnavailable, provider.told(t, "{}", "v1").StatusCode)
}

// The provider brings all members' payments from a few addresses: its limit is its own, and there is one.
func TestWebhooksHaveALimitOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	provider := s.gateways[0].browser(t)
	provider.readsItsShare(t)
	kept := 0
	for kept < 2000 && provider.told(t, "{}", "v1").StatusCode == http.StatusOK {
		kept++
	}
	require.Equal(t, webhook.Limit.Burst, kept)
	over := provider.told(t, "{}", "v1")
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
	s.clock.Move(time.Second / 50)
	require.Equal(t, http.StatusOK, provider.get(t, "/").StatusCode, "pages are counted apart")
}

// readsItsShare asks for as much as one address may read at once, which takes nothing from its webhooks.
func (b *browser) readsItsShare(t *testing.T) {
	t.Helper()
	for range addressLimit.Burst {
		require.Equal(t, http.StatusOK, b.get(t, "/auth/page.css").StatusCode)
	}
	require.Equal(t, http.StatusTooManyRequests, b.get(t, "/auth/page.css").StatusCode)
}

// notified sends what the mail server would.
func (b *browser) notified(t *testing.T, body, signature string) answer {
	t.Helper()
	return b.send(t, http.MethodPost, webhook.MailPath, strings.NewReader(body), "Content-Type", "application/json", webhook.MailSignatureHeader, signature)
}

func TestANoticeOfTheMailServerReachesMailWithinTheSameBounds(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	server := s.gateways[0].browser(t)
	raw := "{\n \"kind\":\t\"bounce\" \x00\xff } \r\n"
	require.Equal(t, http.StatusOK, server.notified(t, raw, "t=1,v1=aa").StatusCode)
	require.Len(t, s.services.notices, 1)
	require.Equal(t, []byte(raw), s.services.notices[0].GetPayload())
	require.Equal(t, "t=1,v1=aa", s.services.notices[0].GetSignature())
	require.Equal(t, auth.Subject{}, s.services.subjectOf(mailv1connect.DeliveryServiceReceiveNoticeProcedure))
	for what, c := range map[string][2]string{
		"no signature": {"{}", ""}, "no body": {"", "v1"}, "a forged one": {"{}", "forged"}, "too large": {strings.Repeat("x", 256<<10+1), "v1"},
		"another's signature": {"{}", strings.Repeat("x", 513)},
	} {
		got := server.notified(t, c[0], c[1])
		require.Equal(t, http.StatusBadRequest, got.StatusCode, what)
		require.Empty(t, got.body, what)
	}
	require.Len(t, s.services.notices, 1)
	require.Empty(t, s.services.webhooks, "billing hears nothing of it")
	s.services.failing(mailv1connect.DeliveryServiceReceiveNoticeProcedure, errAway)
	require.Equal(t, http.StatusServiceUnavailable, server.notified(t, "{}", "v1").StatusCode)
	s.services.failing(mailv1connect.DeliveryServiceReceiveNoticeProcedure, nil)
	require.Equal(t, http.StatusNotFound, server.send(t, http.MethodGet, webhook.MailPath, nil, webhook.MailSignatureHeader, "v1").StatusCode)
	kept, before := 0, 7 // the posts above
	for kept < 2000 && server.notified(t, "{}", "v1").StatusCode == http.StatusOK {
		kept++
	}
	require.Equal(t, webhook.Limit.Burst, before+kept)
	require.Equal(t, http.StatusTooManyRequests, server.notified(t, "{}", "v1").StatusCode)
	require.Equal(t, http.StatusOK, server.told(t, "{}", "v1").StatusCode, "payments are counted apart")
}
