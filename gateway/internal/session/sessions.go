package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/singleflight"

	"serein.app/services/platform/config"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/seal"
)

// checkTimeout bounds one session check against Redis. It is not the caller's own deadline,
// since one check serves all calls that wait for it.
var checkTimeout = deadline.Of(2 * time.Second)

// Provider is the identity provider as sessions need it.
type Provider interface {
	// Renew trades a refresh token. ErrRefused means for ever; any other error means that the
	// provider could not be asked.
	Renew(ctx context.Context, refreshToken string) (Grant, error)
	// Revoke makes a refresh token worthless.
	Revoke(ctx context.Context, refreshToken string) error
}

// Config bounds a session's life.
type Config struct {
	// Secret seals records and must be the same on every replica.
	Secret config.Secret `env:"SESSION_SECRET,required"`
	// Previous opens the records of the secret before it, so that replacing it signs nobody out.
	Previous config.Secret `env:"SESSION_SECRET_PREVIOUS"`
	// Idle ends a session that was not used for so long. Not longer than the provider keeps an
	// unused refresh token.
	Idle time.Duration `env:"SESSION_IDLE" envDefault:"336h"`
	// MaxAge ends every session so long after its sign-in.
	MaxAge time.Duration `env:"SESSION_MAX_AGE" envDefault:"720h"`
}

// Validate refuses lives that make no sense.
func (c Config) Validate() error {
	if c.Idle < time.Minute || c.MaxAge < c.Idle {
		return errors.New("SESSION_IDLE, SESSION_MAX_AGE: want 1m <= idle <= max age")
	}
	return nil
}

// Sessions checks, renews and ends sessions. One a process.
type Sessions struct {
	cfg      Config
	store    *store
	cache    *cache
	outage   *outage
	provider Provider
	log      *slog.Logger
	now      func() time.Time
	checks   singleflight.Group
	renewals singleflight.Group
}

// New makes Sessions over a Redis client.
func New(cfg Config, rdb redis.UniversalClient, p Provider, log *slog.Logger, now func() time.Time) (*Sessions, error) {
	sealer, err := seal.New(cfg.Secret, cfg.Previous, "gateway session")
	if err != nil {
		return nil, err
	}
	return &Sessions{
		cfg: cfg, store: &store{redis: rdb, seal: sealer}, cache: newCache(now), outage: &outage{log: log, now: now},
		provider: p, log: log, now: now,
	}, nil
}

// Create starts a session and gives its new id and its longest life.
func (s *Sessions) Create(ctx context.Context, g Grant) (string, time.Duration, error) {
	id := NewID()
	r := record{
		Member: g.Member, RefreshToken: g.RefreshToken, SID: g.SID, IssuedAt: g.IssuedAt, AccessEnds: g.AccessEnds,
		EndsAt: s.now().Add(s.cfg.MaxAge),
	}
	over, err := s.store.put(ctx, Hash(id), r, s.cfg.Idle, s.now())
	if err != nil {
		return "", 0, ErrUnsure.Because(err)
	}
	if over {
		return "", 0, errors.Join(ErrNone, s.End(ctx, id))
	}
	return id, s.cfg.MaxAge, nil
}

// Check answers the session of an id. Errors: ErrNone, ErrUnsure.
func (s *Sessions) Check(ctx context.Context, id string) (*Session, error) {
	if !WellFormed(id) {
		return nil, ErrNone
	}
	hash := Hash(id)
	if known, ok := s.cache.get(hash); ok {
		if known == nil {
			return nil, ErrNone
		}
		return known, nil
	}
	return wait(ctx, s.checks.DoChan(hash, func() (any, error) {
		return s.check(context.WithoutCancel(ctx), hash)
	}))
}

// wait takes a shared result, or leaves when the caller does.
func wait(ctx context.Context, result <-chan singleflight.Result) (*Session, error) {
	select {
	case r := <-result:
		checked, _ := r.Val.(*Session)
		return checked, r.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *Sessions) check(ctx context.Context, hash string) (*Session, error) {
	if s.outage.paused() {
		return nil, ErrUnsure.Because(errPaused)
	}
	bounded, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	r, _, err := s.store.touch(bounded, hash, s.cfg.Idle)
	s.outage.note(ctx, err)
	if err != nil {
		return nil, err
	}
	now := s.now()
	switch {
	case !now.Before(r.EndsAt):
		return nil, s.expire(bounded, hash)
	case now.Before(r.AccessEnds.Add(-renewBefore)):
		return s.remember(hash, r), nil
	case now.Before(r.AccessEnds):
		s.renew(ctx, hash) // in the background: this call does not wait for the provider
		return s.remember(hash, r), nil
	default:
		return wait(ctx, s.renew(ctx, hash))
	}
}

// expire ends a session that reached its absolute limit.
func (s *Sessions) expire(ctx context.Context, hash string) error {
	r, err := s.store.take(ctx, hash)
	if err == nil {
		s.revoke(ctx, r.RefreshToken)
	}
	return ErrNone
}

// remember caches a session that was just read, never past the end of what is known of it.
func (s *Sessions) remember(hash string, r record) *Session {
	until := s.now().Add(cacheLife)
	for _, end := range []time.Time{r.AccessEnds, r.EndsAt} {
		if end.Before(until) {
			until = end
		}
	}
	checked := &Session{Member: r.Member, SID: r.SID, EndsAt: r.EndsAt}
	s.cache.put(hash, checked, until)
	return checked
}

// End ends the session of an id: here at once, on other replicas within cacheLife. Its refresh
// token is revoked; that the provider cannot be reached does not keep the session alive.
// Ending what is not there is no error. Errors: ErrUnsure.
func (s *Sessions) End(ctx context.Context, id string) error {
	if !WellFormed(id) {
		return nil
	}
	return s.end(ctx, Hash(id))
}

func (s *Sessions) end(ctx context.Context, hash string) error {
	r, err := s.store.take(ctx, hash)
	if errors.Is(err, ErrNone) {
		s.cache.end(hash)
		return nil
	}
	if err != nil {
		return err
	}
	s.cache.end(hash)
	s.revoke(ctx, r.RefreshToken)
	return nil
}

// EndProvided ends every session here that came of the session sid at the provider: on this replica at once, on others within cacheLife.
// With an empty uid it ends them for any member. Doing so again changes nothing. Errors: ErrUnsure.
func (s *Sessions) EndProvided(ctx context.Context, uid, sid string) error {
	if sid == "" {
		return nil
	}
	hashes, err := s.store.provided(ctx, sid, s.cfg.MaxAge)
	if err != nil {
		return ErrUnsure.Because(fmt.Errorf("redis: %w", err))
	}
	for _, hash := range hashes {
		if err := s.endOf(ctx, hash, uid, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// EndMember ends every session of a member whose sign-in the provider vouched for at that time or before: here at once,
// on other replicas within cacheLife. Doing so again changes nothing. Errors: ErrUnsure.
func (s *Sessions) EndMember(ctx context.Context, uid string, until time.Time) error {
	hashes, err := s.store.ofMember(ctx, uid, until, s.cfg.MaxAge)
	if err != nil {
		return ErrUnsure.Because(fmt.Errorf("redis: %w", err))
	}
	for _, hash := range hashes {
		if err := s.endOf(ctx, hash, uid, until); err != nil {
			return err
		}
	}
	return nil
}

// endOf ends a session that is that member's; a later one than until, if that is a time, goes on.
func (s *Sessions) endOf(ctx context.Context, hash, uid string, until time.Time) error {
	r, _, err := s.store.read(ctx, hash)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	if !until.IsZero() && r.IssuedAt.After(until) {
		return nil
	}
	if uid != "" && r.Member.UID != uid {
		s.log.ErrorContext(ctx, "a session ended at the provider is another member's here", "ended", uid, "member", r.Member.UID)
		return nil
	}
	return s.end(ctx, hash)
}

func (s *Sessions) revoke(ctx context.Context, refreshToken string) {
	if refreshToken == "" {
		return
	}
	if err := s.provider.Revoke(ctx, refreshToken); err != nil {
		s.log.WarnContext(ctx, "refresh token of an ended session was not revoked", "error", err)
	}
}
