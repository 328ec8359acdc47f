package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"serein.app/deploy/e2e/purchases"
)

const (
	// purchasesEach is how many a member makes, and outageEvery the time between two outages of PostgreSQL or the broker.
	purchasesEach = 12
	outageEvery   = 12 * time.Second
	// enoughForAll purchases pass every failpoint that kills.
	enoughForAll = 300
	// returning members of ten; the others close the browser once they have paid.
	returning = 5
	// settleTime is enough for what nobody asks for to be read back, twice.
	settleTime = 12 * time.Minute
)

// buy has members buy while the services die at their failpoints, and PostgreSQL and the broker too; the books must agree afterwards.
func buy(ctx context.Context, s *soak) error {
	dir, err := os.MkdirTemp("", "serein-soak-")
	if err != nil {
		return err
	}
	report, err := purchases.Run(ctx, purchases.Options{
		Purchases: s.purchases, Members: max(s.purchases/purchasesEach, 1), Returning: returning, OutageEvery: outageEvery,
		SettleTime: settleTime, MailDies: true, Dir: dir, Say: say,
	})
	say("  %s", report)
	if unused := report.Unused(); err == nil && len(unused) > 0 && s.purchases >= enoughForAll {
		err = fmt.Errorf("nobody has died at %s", strings.Join(unused, ", "))
	}
	if err != nil {
		say("  the logs are in %s", filepath.Join(dir, "logs"))
		return err
	}
	return os.RemoveAll(dir)
}
