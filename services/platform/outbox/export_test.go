package outbox

import (
	"context"
	"time"
)

// Rest is called instead of waiting after a failure.
func (o *Outbox) Rest(rest func(ctx context.Context, d time.Duration)) { o.rest = rest }

// Prepare, PublishAll and RepairOnce are what Run does, each when the test says so.
func (o *Outbox) Prepare(ctx context.Context) error { return o.prepare(ctx) }

func (o *Outbox) PublishAll(ctx context.Context) error {
	conn, err := o.db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	done := newProgress()
	for {
		if n, err := o.publishBatch(ctx, conn, done); err != nil || n == 0 {
			return err
		}
	}
}

func (o *Outbox) RepairOnce(ctx context.Context) (missing bool, err error) { return o.repairOnce(ctx) }
