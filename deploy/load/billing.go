package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"serein.app/deploy/e2e/harness"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/telemetry"
)

// members share the load, so that no row is hot.
const members = 2000

// measureBilling compares holds and captures through billing's RPC, called as generation calls
// it, with the same statements sent to the same durable server by as many callers.
func measureBilling(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	_, err = harness.SQL[int](ctx, product, "billing", `SELECT count(grant_credits(`+memberSQL+`, 'top_up', 100000000,
		'bench:' || m, NULL, 'Load', '', now()))::int FROM generate_series(0, $1::int - 1) m`, members)
	if err != nil {
		return nil, fmt.Errorf("give credits: %w", err)
	}
	calls, err := billingCalls(ctx, product)
	if err != nil {
		return nil, err
	}
	b.say("  holds and captures through the RPC")
	through, err := costing(func() (float64, error) { return twice(b.rate(ctx, calls)) })
	if err != nil {
		return nil, err
	}
	// The service rests while the statements are sent without it; what it has not published yet
	// would otherwise be published beside them.
	if err := product.StopPart("billing"); err != nil {
		return nil, err
	}
	url, err := product.DatabaseURL("billing")
	if err != nil {
		return nil, err
	}
	b.say("  the same statements without it")
	var tool string
	limit, err := costing(func() (rate float64, err error) {
		tool, rate, err = b.statements(ctx, url, creditsScript(), creditsDirectly)
		return twice(rate, err)
	})
	if err != nil {
		return nil, err
	}
	pages, err := measureLedger(ctx, b)
	return append([]Figure{
		Figure{Name: "holds and captures, RPC and relay", Value: Quantity{through.rate, "/s"}}.against(tool, limit.rate).atLeast(0.5),
		Figure{Name: "processor time of one, with its caller", Value: through.each()}.against(tool, limit.each().N),
	}, pages...), err
}

// measureLedger reads pages of a ledger of 10,000 entries through the RPC.
func measureLedger(ctx context.Context, b *bench) (figures []Figure, err error) {
	b.say("  pages of a long ledger")
	pages, err := goBenchWithDatabase(ctx, "services/billing", "^BenchmarkLedgerPage$", b.during/3, 1)
	if err != nil {
		return nil, err
	}
	for _, page := range []struct{ name, bench string }{{"first page", "First"}, {"a page in the middle", "Middle"}} {
		wait, err := pages.get("LedgerPage/"+page.bench, "p99-ms")
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{Name: page.name + " of a ledger of 10,000 entries, p99", Value: Quantity{wait, "ms"}}.below(10))
	}
	return figures, nil
}

// twice counts both halves of a pair: a hold and its capture.
func twice(rate float64, err error) (float64, error) { return 2 * rate, err }

// dialerAs calls services as one of them does: real HTTP, signed.
func dialerAs(ctx context.Context, product *harness.Harness, caller string) (*rpc.Dialer, error) {
	tel, err := telemetry.Setup(ctx, "load")
	if err != nil {
		return nil, err
	}
	signer, err := auth.NewSigner(caller, product.ServiceKey(caller))
	if err != nil {
		return nil, err
	}
	return rpc.NewDialer(signer, tel)
}

// billingCalls is the path that generation takes: a hold and its capture.
func billingCalls(ctx context.Context, product *harness.Harness) (operation, error) {
	dialer, err := dialerAs(ctx, product, "generation")
	if err != nil {
		return nil, err
	}
	credits := billingv1connect.NewCreditServiceClient(dialer.To("billing", product.ServiceURL("billing")))
	return func(ctx context.Context, i int64) error {
		key := uuid.NewString()
		held, err := credits.Hold(ctx, &billingv1.HoldRequest{
			Uid: memberID(i), Amount: 1, IdempotencyKey: key, Reference: "meditation:" + key,
			TtlSeconds: 600,
		})
		if err != nil {
			return err
		}
		_, err = credits.Capture(ctx, &billingv1.CaptureRequest{HoldId: held.GetHold().GetId()})
		return err
	}, nil
}

// memberID and memberSQL are the same id of member number m.
func memberID(m int64) string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", m) }

const memberSQL = `('00000000-0000-4000-8000-' || lpad(to_hex(m::bigint), 12, '0'))::uuid`
