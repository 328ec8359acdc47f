package blob

import (
	"context"
	"log/slog"
	"time"
)

// leftoversEvery is how often what dead processes left behind is looked for.
const leftoversEvery = 24 * time.Hour

// KeepTidy gives the loop that removes leftovers when it starts and once a day. Every replica runs it for the disk
// that it has.
func KeepTidy(store Store, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		daily := time.NewTicker(leftoversEvery)
		defer daily.Stop()
		for {
			if err := RemoveLeftovers(store, time.Now()); err != nil {
				log.WarnContext(ctx, "leftovers of dead processes stay until tomorrow", "error", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-daily.C:
			}
		}
	}
}

// RemoveLeftovers removes what dead processes have left in a store on a disk: files that are not whole and folders
// without a file, if they are an hour old. Other stores have no such things.
func RemoveLeftovers(store Store, now time.Time) error {
	f, onDisk := store.(*files)
	if !onDisk {
		return nil
	}
	return f.removeLeftovers(now.Add(-leftoverAge))
}
