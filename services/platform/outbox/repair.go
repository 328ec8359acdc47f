package outbox

import (
	"context"
	"time"

	"serein.app/services/platform/bus"
)

const (
	// repairPoll is how often it is looked what consumers missed, repairNext while they miss something.
	repairPoll = 10 * time.Second
	repairNext = time.Second
	// repairTime bounds one look.
	repairTime = 30 * time.Second
	// overhead of an event in its stream, at most, in bytes.
	overhead = 512
)

// repair brings consumers what left the stream before they had handled it, until ctx ends: the rows are
// still here. They go out again in portions that are small beside the stream, each when the consumer has
// handled all that it could, so that a repair sheds nothing that somebody who works has still to read.
func (o *Outbox) repair(ctx context.Context) {
	for ctx.Err() == nil {
		wait := repairPoll
		missing, err := o.repairOnce(ctx)
		if err != nil && ctx.Err() == nil {
			o.log.WarnContext(ctx, "what consumers missed is not known", "error", err)
		}
		if missing {
			wait = repairNext
		}
		sleep(ctx, nil, wait)
	}
}

// repairOnce says whether consumers still miss something.
func (o *Outbox) repairOnce(ctx context.Context) (missing bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, repairTime)
	defer cancel()
	var now time.Time
	var underway bool
	err = o.db.QueryRow(ctx, `SELECT now(), EXISTS (SELECT 1 FROM outbox WHERE published_at IS NULL AND again_at IS NOT NULL)`).Scan(&now, &underway)
	if err != nil {
		return false, err
	}
	all, err := o.bus.Missed(ctx, now)
	if err != nil {
		return false, err
	}
	for _, m := range all {
		if underway || !m.Waits {
			continue
		}
		if underway, err = o.portion(ctx, m, now); err != nil {
			return true, err
		}
	}
	return len(all) > 0, nil
}

// portion makes the first of what the consumer missed unpublished, and says whether there was any.
func (o *Outbox) portion(ctx context.Context, m bus.Missed, now time.Time) (bool, error) {
	var n int
	var upto time.Time
	// What was marked after the gap was noticed has gone out since, or is noticed again.
	err := o.db.QueryRow(ctx, `WITH found AS (
			SELECT id, published_at, octet_length(payload) + $7::bigint AS size FROM outbox
			WHERE published_at >= $1 AND published_at < $2 AND created_at >= $3 AND subject = $4 AND (again_at IS NULL OR again_at < $5)
			ORDER BY published_at LIMIT $6
		), portion AS (
			SELECT id, published_at FROM (SELECT id, published_at, sum(size) OVER (ORDER BY published_at, id) - size AS before FROM found) sized WHERE before < $8
		), changed AS (
			UPDATE outbox SET published_at = NULL, again_at = now() WHERE id = ANY (ARRAY(SELECT id FROM portion))
		)
		SELECT count(*), coalesce(max(published_at), $2) FROM portion`,
		m.From.Add(-clockDifference), m.To.Add(clockDifference), now.Add(-keep), m.Subject, m.Noticed, batchSize, overhead, o.bus.StreamBytes()/4).Scan(&n, &upto)
	if err != nil {
		return false, err
	}
	if n > 0 {
		if !upto.Before(m.To) {
			upto = m.From // the clocks differ: there may be more
		}
		o.log.InfoContext(ctx, "events that a consumer missed go out again", "consumer", m.Consumer, "events", n)
		o.Wake()
	}
	return n > 0, o.bus.Repaired(ctx, m, upto, now)
}
