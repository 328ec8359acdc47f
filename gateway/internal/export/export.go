// Package export gives members a copy of everything that Serein keeps of them: one ZIP with JSON for programs, pages for people, and
// the sound of their meditations.
//
// A copy is made while it is downloaded and stands nowhere: there is nothing to guard, to tidy up, or to find when somebody has left,
// and a process that dies costs its member a new link and no more. A link is good for one download within a day, by the sessions of
// its member alone. The package owns what a copy contains and how it is laid out. It refuses half a copy: where a service is away
// there is none.
package export

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"serein.app/gateway/internal/ratelimit"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
)

const (
	// linkLife is how long a link may wait for its download.
	linkLife = 24 * time.Hour
	// gatherTime bounds what is read before the first byte: of 200 meditations it is a second or two.
	gatherTime = 30 * time.Second
	// copiesAtOnce are gathered by one process. One that is gathered is some megabytes, and is held until it has been sent: one for each
	// member, and no longer than sendTime says.
	copiesAtOnce = 4
)

// Config is what Exports need.
type Config struct {
	Clients  *upstream.Clients
	Sessions *session.Sessions
	Redis    redis.UniversalClient
	// Limit counts downloads by member.
	Limit    *ratelimit.Limiter
	Security *seclog.Log
	Log      *slog.Logger
	Now      func() time.Time
}

// Exports makes links and answers them. It is ready for concurrent use.
type Exports struct {
	Config
	slots chan struct{}
	// sending are the members whose copies are on their way, by uid.
	sending sync.Map
}

// New makes Exports.
func New(cfg Config) *Exports { return &Exports{Config: cfg, slots: make(chan struct{}, copiesAtOnce)} }

// copyOf gathers a copy when few enough are being gathered. Errors: UNAVAILABLE where its turn did not come, and those of gather.
func (e *Exports) copyOf(ctx context.Context, uid, sid string) (*archive, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
		return e.gather(ctx, uid, sid)
	case <-ctx.Done():
		return nil, errs.ErrUnavailable.Because(ctx.Err())
	}
}
