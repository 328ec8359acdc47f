package billing

import (
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/billing/internal/content"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/jobs"
	"serein.app/services/billing/internal/metrics"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/receipt"
	"serein.app/services/billing/internal/rpc"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(s *service.Service, cfg Config, payments metrics.Provider) error {
	meter := s.Tel.Metrics.Meter("serein/billing")
	ledger, err := store.New(s.DB, s.Outbox, time.Now, uuid.NewV7)
	if err != nil {
		return err
	}
	if err := ledger.Measure(meter); err != nil {
		return err
	}
	counted, err := metrics.New(meter)
	if err != nil {
		return err
	}
	s.Retain(store.Retention()...)
	terms, provider := cfg.terms(), counted.Counted(payments)
	ledger.KeepBooks(store.Books{VATPercent: terms.VATPercent, Live: terms.Live})
	memberships := subscriptions.New(subscriptions.Ports{
		Store: ledger, Provider: provider, Metrics: counted, Log: s.Log, Now: time.Now, NewID: uuid.NewV7,
	})
	seller := sales.New(sales.Ports{
		Store: ledger, Provider: provider, Metrics: counted, Terms: terms, Memberships: memberships,
		Shop: content.New(contentv1connect.NewShopServiceClient(s.Dialer.To("content", cfg.ContentURL))),
		Log:  s.Log, Now: time.Now, NewID: uuid.NewV7,
	})
	work, periodic := jobs.New(ledger.Sweep, seller, memberships)
	queue, err := s.Work(work, jobs.Queues(), periodic)
	if err != nil {
		return err
	}
	enqueue := jobs.By(queue)
	ledger.WorkBy(enqueue)
	rpc.New(ledger, time.Now, cfg.GodControls).Routes(s.HandleRPC, s.RPC.Options()...)
	rpc.NewSubscriptions(memberships, ledger, time.Now, cfg.GodControls).Routes(s.HandleRPC, s.RPC.Options()...)
	rpc.NewSales(seller, receipt.House{Lines: cfg.ReceiptFrom, VATNumber: cfg.VATNumber}).Routes(s.HandleRPC, s.RPC.Options()...)
	consumers, err := events.Consumers(s.DB, ledger, enqueue, enqueue)
	if err != nil {
		return err
	}
	for _, c := range consumers {
		s.Consume(c)
	}
	return s.Erase(ledger.Left, erasure.Tell(s.Outbox, events.Erased))
}
