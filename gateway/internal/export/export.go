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
	"time"

	"github.com/redis/go-redis/v9"

	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
)

const (
	// linkLife is how long a link may wait for its download.
	linkLife = 24 * time.Hour
	// gatherTime bounds what is read before the first byte: of 200 meditations it is a second or two.
	gatherTime = 30 * time.Second
	// copiesAtOnce of one process: each holds what is written of its member in memory, some megabytes, until it has been sent.
	copiesAtOnce = 4
)

// Config is what Exports need.
type Config struct {
	Clients  *upstream.Clients
	Sessions *session.Sessions
	Redis    redis.UniversalClient
	Log      *slog.Logger
	Now      func() time.Time
}

// Exports makes links and answers them. It is ready for concurrent use.
type Exports struct {
	Config
	slots chan struct{}
}

// New makes Exports.
func New(cfg Config) *Exports { return &Exports{cfg, make(chan struct{}, copiesAtOnce)} }

// slot waits until a copy may be gathered; release gives it back.
func (e *Exports) slot(ctx context.Context) (release func(), err error) {
	select {
	case e.slots <- struct{}{}:
		return func() { <-e.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
