package stripe

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/config"
	"serein.app/services/testkit/paymentsandbox"
)

const older = "whsec_fedcba9876543210fedcba9876543210"

// received is a webhook as the sandbox sends it.
type received struct {
	body      []byte
	signature string
}

// receive pays a pack and gives the first webhook of it.
func receive(t *testing.T, secrets ...string) (*Provider, received) {
	t.Helper()
	came := make(chan received, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- received{body, r.Header.Get("Stripe-Signature")}
	}))
	t.Cleanup(receiver.Close)
	p, sandbox := sandboxed(t, paymentsandbox.Config{Webhook: paymentsandbox.Webhook{URL: receiver.URL, Secrets: secrets}})
	made := begin(t, p, packPrice(), nil)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	return p, <-came
}

func TestAWebhookIsReadWithAnySecretOfTheRotation(t *testing.T) {
	t.Parallel()
	for name, secrets := range map[string][]string{"one": {secret}, "both": {older, secret}} {
		p, webhook := receive(t, secrets...)
		event, err := p.ReadEvent(webhook.body, webhook.signature, time.Now())
		require.NoError(t, err, name)
		require.NotEmpty(t, event.ID)
		require.NotEmpty(t, event.ObjectID)
		rotating, err := New(Config{APIKey: key, WebhookSecrets: []config.Secret{older, secret}})
		require.NoError(t, err)
		again, err := rotating.ReadEvent(webhook.body, webhook.signature, time.Now())
		require.NoError(t, err, name)
		require.Equal(t, event, again)
	}
}

func TestAWebhookThatIsNotTheProvidersIsRefused(t *testing.T) {
	t.Parallel()
	p, webhook := receive(t, secret)
	now, body := time.Now(), string(webhook.body)
	sign := func(body string, at time.Time) string { return paymentsandbox.Sign([]byte(body), at, secret) }
	for name, one := range map[string]struct {
		body, signature string
		now             time.Time
	}{
		"no signature":         {body, "", now},
		"no proof":             {body, strings.Split(webhook.signature, ",")[0], now},
		"a changed body":       {strings.Replace(body, "evt_", "evt_x", 1), webhook.signature, now},
		"spaces in the body":   {body + " ", webhook.signature, now},
		"another secret":       {body, paymentsandbox.Sign([]byte(body), now, older), now},
		"an empty secret":      {body, paymentsandbox.Sign([]byte(body), now, ""), now},
		"older than tolerance": {body, sign(body, now.Add(-301*time.Second)), now},
		"from the future":      {body, sign(body, now.Add(301*time.Second)), now},
		"a second time":        {body, sign(body, now.Add(-time.Hour)) + "," + strings.Split(sign(body, now), ",")[0], now},
		"another version":      {strings.Replace(body, paymentsandbox.APIVersion, "2020-08-27", 1), "", now},
		"another release":      {strings.Replace(body, paymentsandbox.APIVersion, "2026-03-25.other", 1), "", now},
		"a thin event":         {strings.Replace(body, `"object":"event"`, `"object":"v2.core.event"`, 1), "", now},
		"no JSON":              {"{", "", now},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if one.signature == "" && name != "no signature" {
				require.NotEqual(t, body, one.body)
				one.signature = sign(one.body, now)
			}
			_, err := p.ReadEvent([]byte(one.body), one.signature, one.now)
			require.ErrorIs(t, err, sales.ErrRefused)
			require.Equal(t, strings.HasPrefix(name, "another ") && name != "another secret", errors.Is(err, sales.ErrOtherVersion), "only what is signed can be of another version")
			require.NotContains(t, err.Error(), secret)
		})
	}
	_, err := p.ReadEvent(webhook.body, sign(body, now.Add(-299*time.Second)), now)
	require.NoError(t, err)
}

// Whether an event is ours is not judged here: it is signed, and says what it is.
func TestAWebhookSaysWhoseAndOfWhatMoneyItIs(t *testing.T) {
	t.Parallel()
	p, webhook := receive(t, secret)
	now, body := time.Now(), string(webhook.body)
	for name, one := range map[string]struct {
		body    string
		account string
		live    bool
	}{
		"ours":            {body, "", false},
		"live money":      {strings.Replace(body, `"livemode":false,"object":"event"`, `"livemode":true,"object":"event"`, 1), "", true},
		"another account": {strings.Replace(body, `{"api_version"`, `{"account":"acct_1","api_version"`, 1), "acct_1", false},
	} {
		require.Equal(t, name == "ours", one.body == body, name)
		event, err := p.ReadEvent([]byte(one.body), paymentsandbox.Sign([]byte(one.body), now, secret), now)
		require.NoError(t, err, name)
		require.Equal(t, one.account, event.Account, name)
		require.Equal(t, one.live, event.Live, name)
	}
}

// An operator sets the endpoint up by the page of going live: an event that is not sent, or of another version, is missed.
func TestGoingLiveNamesTheEventsAndTheVersionThatAnEndpointIsSetUpWith(t *testing.T) {
	t.Parallel()
	said, err := os.ReadFile("../../../../docs/go-live.md")
	require.NoError(t, err)
	require.Contains(t, string(said), "api_version="+stripe.APIVersion)
	var named []string
	for _, event := range regexp.MustCompile(`enabled_events\[\]=([a-z_.]+)`).FindAllStringSubmatch(string(said), -1) {
		named = append(named, event[1])
	}
	require.ElementsMatch(t, sales.EventTypes(), named)
	require.LessOrEqual(t, len(named), 20, "as many types as one list of events may ask for")
}

func TestEventsAreListedTheOldestFirstAndNameTheirPayment(t *testing.T) {
	t.Parallel()
	p, sandbox := sandboxed(t, paymentsandbox.Config{})
	made := begin(t, p, packPrice(), nil)
	require.NoError(t, sandbox.Pay(made.session.ID, paymentsandbox.Accepted))
	session, err := p.Session(t.Context(), made.session.ID)
	require.NoError(t, err)
	require.NoError(t, sandbox.Refund(session.Payment, 0))
	events, err := p.Events(t.Context(), time.Now().Add(-time.Minute))
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, "checkout.session.completed", events[0].Type)
	require.Equal(t, session.ID, events[0].ObjectID)
	require.Equal(t, "charge.refunded", events[1].Type)
	require.Equal(t, session.Payment, events[1].Payment)
	none, err := p.Events(t.Context(), time.Now().Add(time.Minute))
	require.NoError(t, err)
	require.Empty(t, none)
}
