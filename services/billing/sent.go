package billing

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"

	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/config"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/service"
)

// sentConfig is what sentCommand needs: the database alone.
type sentConfig struct {
	Database postgres.Config
}

// sentCommand notes that an order of apparel has gone into the post, so that its member sees it.
func sentCommand() service.Command {
	return service.Command{
		Usage: "ORDER-NUMBER", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			number, err := orderNumber(f.Arg(0))
			if err != nil {
				return err
			}
			cfg, err := config.Load[sentConfig](environ)
			if err != nil {
				return fmt.Errorf("configuration: %w", err)
			}
			return withStore(ctx, cfg.Database, func(kept *store.Store, _ *slog.Logger) error {
				at, err := kept.NoteSent(ctx, number)
				if errors.Is(err, sales.ErrNotSent) {
					return fmt.Errorf("no order S-%d was paid and goes by post", number)
				}
				if err == nil {
					_, err = fmt.Fprintf(out, "S-%d was sent on %s.\n", number, at.Format("2 January 2006"))
				}
				return err
			})
		},
	}
}
