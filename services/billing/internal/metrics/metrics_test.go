package metrics_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"serein.app/services/billing/internal/metrics"
	"serein.app/services/billing/internal/providertest"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/testkit"
)

const failures = "serein.billing.provider.failures"

func setup(t *testing.T) (*metrics.Sales, sdkmetric.Reader) {
	t.Helper()
	reader := sdkmetric.NewManualReader()
	s, err := metrics.New(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)).Meter("serein/billing"))
	require.NoError(t, err)
	return s, reader
}

// A call that the provider's port gets and the counters do not would fail unseen.
func TestEveryCallOfTheProviderThatFailsIsCountedOnce(t *testing.T) {
	t.Parallel()
	s, reader := setup(t)
	provider := providertest.New(time.Now)
	counted := reflect.ValueOf(s.Counted(provider))
	port := reflect.TypeFor[metrics.Provider]()
	want := 0.0
	for i := range port.NumMethod() {
		call := port.Method(i)
		if call.Name == "ReadEvent" { // it calls no provider: it reads a webhook, and another metric counts the refused ones
			continue
		}
		provider.Fail(call.Name, providertest.Away)
		err := ask(t.Context(), counted.MethodByName(call.Name))
		require.ErrorIs(t, err, sales.ErrProviderUnavailable, call.Name)
		want++
		require.InDelta(t, want, testkit.Metric(t, reader, failures), 0, call.Name)
	}
}

// ask calls a method with nothing but the context, and gives its error.
func ask(ctx context.Context, method reflect.Value) error {
	args := make([]reflect.Value, method.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(method.Type().In(i))
	}
	args[0] = reflect.ValueOf(ctx)
	answers := method.Call(args)
	err, _ := answers[len(answers)-1].Interface().(error)
	return err
}

func TestAFailureSaysWhichCallAndWhoseFaultItIs(t *testing.T) {
	t.Parallel()
	s, reader := setup(t)
	provider := providertest.New(time.Now)
	p := s.Counted(provider)
	provider.Fail("Session", providertest.Away)
	provider.Fail("Refund", providertest.Refused)
	_, err := p.Session(t.Context(), "cs_1")
	require.ErrorIs(t, err, sales.ErrProviderUnavailable)
	require.ErrorIs(t, p.Refund(t.Context(), "k", "pi_1"), sales.ErrRefused)
	_, err = s.Counted(broken{provider}).Payment(t.Context(), "pi_1")
	require.ErrorIs(t, err, errBroken)
	require.Equal(t, map[string]int64{"session away": 1, "refund refused": 1, "payment other": 1}, byCall(t, reader))
}

// Looking for what is not there is how it is found out, and closing what was paid meanwhile is lost by rights.
func TestWhatIsNoFailureIsNotCounted(t *testing.T) {
	t.Parallel()
	s, reader := setup(t)
	provider := providertest.New(time.Now)
	p := s.Counted(provider)
	_, err := p.FindCustomer(t.Context(), "nobody")
	require.ErrorIs(t, err, sales.ErrNotFound)
	provider.Fail("ExpireSession", providertest.Refused)
	require.ErrorIs(t, p.ExpireSession(t.Context(), "k", "cs_1"), sales.ErrRefused)
	_, err = p.Prices(t.Context(), nil)
	require.NoError(t, err)
	require.Zero(t, testkit.Metric(t, reader, failures))
}

func TestCancellationsAreCountedByWhatMembersSay(t *testing.T) {
	t.Parallel()
	s, reader := setup(t)
	for _, why := range []sales.CancelReason{"", sales.TooExpensive, sales.TooExpensive, sales.Unused, sales.OtherReason} {
		s.CancellationScheduled(t.Context(), why)
	}
	require.InDelta(t, 5.0, testkit.Metric(t, reader, "serein.billing.cancellations"), 0)
	require.Equal(t, map[string]int64{"unsaid": 1, "too_expensive": 2, "unused": 1, "other": 1}, byReason(t, reader))
}

// byReason are the cancellations by reason.
func byReason(t *testing.T, reader sdkmetric.Reader) map[string]int64 {
	t.Helper()
	var scraped metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &scraped))
	found := map[string]int64{}
	for _, m := range scraped.ScopeMetrics[0].Metrics {
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok && m.Name == "serein.billing.cancellations" {
			for _, point := range sum.DataPoints {
				reason, _ := point.Attributes.Value("reason")
				found[reason.AsString()] = point.Value
			}
		}
	}
	return found
}

func TestWhatNeedsSomebodyIsCounted(t *testing.T) {
	t.Parallel()
	s, reader := setup(t)
	for name, happens := range map[string]func(){
		"webhooks.refused":      func() { s.WebhookRefused(t.Context(), "signature") },
		"webhooks.unknown":      func() { s.SessionUnknown(t.Context()) },
		"orders.mismatched":     func() { s.OrderMismatched(t.Context()) },
		"catalogue.failures":    func() { s.CatalogueFailed(t.Context()) },
		"subscriptions.mended":  func() { s.SubscriptionMended(t.Context()) },
		"subscriptions.unknown": func() { s.SubscriptionUnknown(t.Context()) },
	} {
		happens()
		happens()
		require.InDelta(t, 2.0, testkit.Metric(t, reader, "serein.billing."+name), 0, name)
	}
	require.Zero(t, testkit.Metric(t, reader, failures))
}

var errBroken = errors.New("an answer that cannot be read")

type broken struct{ metrics.Provider }

func (broken) Payment(context.Context, string) (sales.Payment, error) {
	return sales.Payment{}, errBroken
}

// byCall are the failures by call and kind.
func byCall(t *testing.T, reader sdkmetric.Reader) map[string]int64 {
	t.Helper()
	var scraped metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &scraped))
	found := map[string]int64{}
	for _, m := range scraped.ScopeMetrics[0].Metrics {
		if m.Name != failures {
			continue
		}
		sum, ok := m.Data.(metricdata.Sum[int64])
		require.True(t, ok)
		for _, p := range sum.DataPoints {
			call, _ := p.Attributes.Value(attribute.Key("call"))
			kind, _ := p.Attributes.Value(attribute.Key("kind"))
			found[call.AsString()+" "+kind.AsString()] = p.Value
		}
	}
	return found
}
