package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/jobs"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/rpc"
	"serein.app/services/platform/service"
)

// build is the only wiring.
func build(_ context.Context, s *service.Service) error {
	ledger, err := store.New(s.DB, s.Outbox, time.Now, uuid.NewV7)
	if err != nil {
		return err
	}
	if err := ledger.Measure(s.Tel.Metrics.Meter("serein/billing")); err != nil {
		return err
	}
	s.Retain(store.Retention()...)
	workers, periodic := jobs.New(ledger.Sweep)
	if _, err := s.Work(workers, map[string]int{"default": 1}, periodic); err != nil {
		return err
	}
	rpc.New(ledger, time.Now).Routes(s.HandleRPC, s.RPC.Options()...)
	confirmed, err := events.UserConfirmed(s.DB, ledger)
	if err != nil {
		return err
	}
	s.Consume(confirmed)
	return nil
}
