package bus

import (
	"context"
	"fmt"
	"time"
)

// nearlyFull is how full a stream is when an operator should know.
const nearlyFull = 0.9

// streamWatch is what was last seen of the service's own stream.
type streamWatch struct {
	first uint64
	full  bool
}

// WatchStream measures the service's own stream. It logs a nearly full stream once, and again only
// after there was room in between.
func (b *Bus) WatchStream(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := b.js.Stream(ctx, StreamName(b.service))
	if err != nil {
		return fmt.Errorf("stream %s: %w", StreamName(b.service), err)
	}
	state := stream.CachedInfo().State
	fill := float64(state.Bytes) / float64(b.cfg.StreamBytes)
	b.metrics.fill.Record(ctx, fill)
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &b.watch
	// The oldest is younger than its age allows: what stood before it was shed.
	if w.first != 0 && state.FirstSeq > w.first && state.Msgs > 0 && time.Since(state.FirstTime) < b.cfg.StreamAge {
		b.metrics.shed.Add(ctx, int64(state.FirstSeq-w.first))
	}
	w.first = state.FirstSeq
	if full := fill >= nearlyFull; full != w.full {
		w.full = full
		if full {
			b.log.ErrorContext(ctx, "stream is full and sheds its oldest events", "stream", StreamName(b.service),
				"bytes", state.Bytes, "limit", b.cfg.StreamBytes, "events", state.Msgs, "oldest", state.FirstTime)
		} else {
			b.log.InfoContext(ctx, "stream has room again", "stream", StreamName(b.service))
		}
	}
	return nil
}
