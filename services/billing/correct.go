package billing

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/operators"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/config"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/service"
)

// correctConfig is what corrections need: the database alone.
type correctConfig struct {
	Database postgres.Config
}

// maxCorrection is the most credits of one correction, as in the contract of OperatorService.
const maxCorrection = 1000

// correction are the flags of correctCommand.
type correction struct{ by, key string }

// correctCommand adds top-up credits to a member or takes some back, as an admin's act that the ledger shows with its reason.
func correctCommand() service.Command {
	var asked correction
	return service.Command{
		Usage: "--by ADMIN-UID [--key UUID] MEMBER-UID CREDITS REASON", Arguments: 3,
		Flags: func(f *flag.FlagSet) {
			f.StringVar(&asked.by, "by", "", "the uid of the admin who answers for it")
			f.StringVar(&asked.key, "key", "", "of a correction that is repeated: it is done once")
		},
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			act, err := asked.act(f.Arg(0), f.Arg(1), f.Arg(2))
			if err != nil {
				return err
			}
			return correct(ctx, environ, act, out)
		},
	}
}

func (c correction) act(uid, amount, reason string) (a operators.Act, err error) {
	a = operators.Act{Kind: operators.CorrectCredits}
	key := c.key
	if key == "" {
		key = uuid.NewString()
	}
	for _, id := range []struct {
		into       *uuid.UUID
		name, text string
	}{{&a.Actor, "--by", c.by}, {&a.Key, "--key", key}, {&a.UID, "MEMBER-UID", uid}} {
		if *id.into, err = uuid.Parse(id.text); err != nil {
			return a, fmt.Errorf("%s is not a UUID: %w", id.name, err)
		}
	}
	if a.Amount, err = strconv.ParseInt(amount, 10, 64); err != nil || a.Amount == 0 || a.Amount < -maxCorrection || a.Amount > maxCorrection {
		return a, fmt.Errorf("CREDITS is a number from -%d to %d and not 0", maxCorrection, maxCorrection)
	}
	a.Reason, err = operators.ReadReason(reason)
	return a, err
}

func correct(ctx context.Context, environ map[string]string, a operators.Act, out io.Writer) error {
	cfg, err := config.Load[correctConfig](environ)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	return withStore(ctx, cfg.Database, func(kept *store.Store, _ *slog.Logger) error {
		changed, err := kept.Operate(ctx, a)
		if err == nil {
			_, err = fmt.Fprintf(out, "%+d credits for %s (asked for %+d), by the key %s.\n", changed, a.UID, a.Amount, a.Key)
		}
		return err
	})
}
