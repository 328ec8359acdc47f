package billing

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/stripe"
	"serein.app/services/platform/config"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
)

// commandConfig is what the commands about prices need.
type commandConfig struct {
	Database postgres.Config
	Stripe   StripeConfig
}

// Validate finds what cannot work.
func (c commandConfig) Validate() error { return c.Stripe.Validate() }

// pricesCommand lists what is sold, and where the provider's price is another.
func pricesCommand() service.Command {
	return service.Command{Run: func(ctx context.Context, environ map[string]string, _ *flag.FlagSet, out io.Writer) error {
		return withSeller(ctx, environ, func(seller *sales.Service) error { return printPrices(ctx, seller, out) })
	}}
}

func printPrices(ctx context.Context, seller *sales.Service, out io.Writer) error {
	items, err := seller.Prices(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "KEY\tNAME\tAMOUNT\tPROVIDER") // Flush tells what went wrong
	for _, item := range items {
		said := "agrees, " + item.PriceID
		switch {
		case !item.PriceMatches && item.PriceID == "":
			said = "not asked yet"
		case !item.PriceMatches:
			said = "has " + item.Offered + ", " + item.PriceID
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d %s\t%s\n", item.LookupKey(), item.Name, item.Amount, item.Currency, said)
	}
	return table.Flush()
}

// acceptPriceCommand makes a new price at the provider, with the catalogue's figures.
func acceptPriceCommand() service.Command {
	return service.Command{
		Usage: "KEY", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			return withSeller(ctx, environ, func(seller *sales.Service) error { return acceptPrice(ctx, seller, f.Arg(0), out) })
		},
	}
}

func acceptPrice(ctx context.Context, seller *sales.Service, key string, out io.Writer) error {
	item, err := seller.AcceptPrice(ctx, key)
	if err != nil {
		return err
	}
	if !item.PriceMatches {
		return fmt.Errorf("the provider made %s for %s, which is not what the catalogue says", item.Offered, key)
	}
	_, err = fmt.Fprintf(out, "%s costs %d %s at the provider now, by %s.\n", key, item.Amount, item.Currency, item.PriceID)
	return err
}

// withSeller opens what the commands about prices work with: the database and the provider, no broker and no callers.
func withSeller(ctx context.Context, environ map[string]string, do func(*sales.Service) error) error {
	cfg, err := config.Load[commandConfig](environ)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	provider, err := stripe.New(cfg.Stripe.provider())
	if err != nil {
		return err
	}
	return withStore(ctx, cfg.Database, func(kept *store.Store, log *slog.Logger) error {
		return do(sales.New(sales.Ports{Store: kept, Provider: provider, Log: log, Now: time.Now, NewID: uuid.NewV7}))
	})
}

// withStore opens the database alone; what it queues for the broker goes out by the service.
func withStore(ctx context.Context, database postgres.Config, do func(*store.Store, *slog.Logger) error) error {
	db, err := postgres.Open(ctx, database, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	defer func() { _ = tel.Shutdown(context.WithoutCancel(ctx)) }()
	kept, err := store.New(db, outbox.New(db, nil, Name, tel.Log, time.Now), time.Now, uuid.NewV7)
	if err != nil {
		return err
	}
	return do(kept, tel.Log)
}
