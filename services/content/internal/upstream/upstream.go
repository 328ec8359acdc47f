// Package upstream mirrors another delivery API into the environment master: its locales and content types, then its
// entries and assets by /sync. What came is kept together with the place where the sync goes on, so that a restart
// loses nothing and asks for nothing twice.
//
// It trusts the upstream with content and nothing else. It asks one address; of the addresses in answers it reads the token
// alone. Whatever goes wrong is in the log and in a metric, and readers keep what they have.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/config"
	"serein.app/services/platform/pause"
)

const (
	// maxPages bounds a round. One of real content of this size would have millions of entries.
	maxPages = 10_000
	// longestRequest is the most that a request may take, with the whole of its answer.
	longestRequest = 30 * time.Second
	// longestWait is between two attempts at an upstream that fails, however often it has.
	longestWait = 5 * time.Minute
	// refresh is how often the age of the mirror is read, also by replicas that do not mirror.
	refresh = 5 * time.Second
	// maxAtOnce is how many items of a page one transaction stores. Editors who publish at the same time wait for that transaction.
	maxAtOnce = 100
)

// Config names the upstream. Where URL is empty nothing is mirrored.
type Config struct {
	// URL is a delivery API to mirror; empty: none.
	URL string `env:"UPSTREAM_URL"`
	// Space is the id of the space there.
	Space string `env:"UPSTREAM_SPACE"`
	// Environment is the space's environment.
	Environment string `env:"UPSTREAM_ENVIRONMENT" envDefault:"master"`
	// Token is a read token of that API.
	Token config.Secret `env:"UPSTREAM_TOKEN"`
	// Every is the pause between two looks at it.
	Every time.Duration `env:"UPSTREAM_EVERY" envDefault:"1m"`
	// Timeout bounds one request with the whole of its answer, 30s at most.
	Timeout time.Duration `env:"UPSTREAM_TIMEOUT" envDefault:"30s"`
}

// On says whether there is something to mirror.
func (c Config) On() bool { return c.URL != "" }

// Validate finds what cannot work.
func (c Config) Validate() error {
	if !c.On() {
		return nil
	}
	var faults []error
	if err := config.CheckURL(c.URL); err != nil {
		faults = append(faults, errors.Join(errors.New("UPSTREAM_URL"), err))
	}
	if c.Space == "" || c.Environment == "" || c.Token == "" {
		faults = append(faults, errors.New("UPSTREAM_SPACE, UPSTREAM_ENVIRONMENT and UPSTREAM_TOKEN are needed with UPSTREAM_URL"))
	}
	if c.Every < time.Second {
		faults = append(faults, errors.New("UPSTREAM_EVERY: want a second at least"))
	}
	if c.Timeout <= 0 || c.Timeout > longestRequest {
		faults = append(faults, fmt.Errorf("UPSTREAM_TIMEOUT: want %s at most", longestRequest))
	}
	return errors.Join(faults...)
}

// source names the upstream in the store: another one is mirrored from its beginning.
func (c Config) source() string { return c.URL + " " + c.Space + " " + c.Environment }

// Store keeps the mirror.
type Store interface {
	MirrorState(ctx context.Context, source string) (store.MirrorState, error)
	Mirror(ctx context.Context, source string, to store.MirrorState, changes []store.MirrorChange, refused func(entry.Key, error)) error
	EndMirrorRound(ctx context.Context, source string, to store.MirrorState, first bool) error
	MirrorLocales(ctx context.Context, locales entry.Locales) error
	MirrorContentType(ctx context.Context, t entry.ContentType) error
	LeadMirror(ctx context.Context, work func(ctx context.Context, alive func(context.Context) error) error) error
}

var _ Store = (*store.Store)(nil)

// Mirror follows the upstream.
type Mirror struct {
	cfg      Config
	client   *client
	store    Store
	now      func() time.Time
	log      *slog.Logger
	failures metric.Int64Counter
	syncedAt atomic.Int64 // in seconds since 1970; 0 before the first time
}

// New makes a mirror, which counts its failures and shows its age.
func New(cfg Config, into Store, meter metric.Meter, now func() time.Time, log *slog.Logger) (*Mirror, error) {
	m := &Mirror{cfg: cfg, client: newClient(cfg), store: into, now: now, log: log}
	var err error
	m.failures, err = meter.Int64Counter("serein.content.upstream.failures", metric.WithUnit("{failure}"),
		metric.WithDescription("Failures by `kind`: `away`, `busy`, `denied` (our token), `lying` (an answer that breaks the contract), "+
			"`expired` (the sync restarts), `refused` (an item that breaks its type, or that the database cannot hold; readers keep "+
			"its earlier version), `store` (our own database)"))
	if err != nil {
		return nil, err
	}
	_, err = meter.Float64ObservableGauge("serein.content.upstream.age", metric.WithUnit("s"),
		metric.WithDescription("Where an upstream is mirrored: seconds since the mirror was last what the upstream is; more than some "+
			"`UPSTREAM_EVERY` needs a look at the log"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			if age, known := m.Age(); known {
				o.Observe(age.Seconds())
			}
			return nil
		}))
	return m, err
}

// Age is how long ago the mirror was last what the upstream is; known is false before the first time.
func (m *Mirror) Age() (age time.Duration, known bool) {
	at := m.syncedAt.Load()
	return max(m.now().Sub(time.Unix(at, 0)), 0), at > 0
}

// Watch keeps the age that this replica shows.
func (m *Mirror) Watch(ctx context.Context) error {
	for ctx.Err() == nil {
		if state, err := m.store.MirrorState(ctx, m.cfg.source()); err == nil && !state.SyncedAt.IsZero() {
			m.syncedAt.Store(state.SyncedAt.Unix())
		}
		_ = pause.For(ctx, refresh)
	}
	return nil
}

// Run mirrors until ctx ends, one replica at a time.
func (m *Mirror) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := m.store.LeadMirror(ctx, m.follow); err != nil && ctx.Err() == nil {
			m.log.WarnContext(ctx, "the upstream is not followed", "error", err)
		}
		_ = pause.For(ctx, refresh)
	}
	return nil
}

// follow does round after round. Failures make it wait, twice as long each time, and never as long as another that failed at
// the same moment. It ends where this replica leads no more.
func (m *Mirror) follow(ctx context.Context, alive func(context.Context) error) error {
	failed := 0
	for ctx.Err() == nil {
		if err := alive(ctx); err != nil {
			return err
		}
		wait := m.cfg.Every
		if err := m.Round(ctx, alive); err != nil {
			wait = m.told(ctx, err, failed)
			failed++
		} else {
			failed = 0
		}
		_ = pause.For(ctx, wait)
	}
	return nil
}

// told puts a failure into log and metric, and says how long to wait.
func (m *Mirror) told(ctx context.Context, err error, failed int) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	kind, after := Kind("store"), time.Duration(0)
	if e, ok := errors.AsType[*Error](err); ok {
		kind, after = e.Kind, e.RetryAfter
	}
	m.failures.Add(ctx, 1, metric.WithAttributes(attribute.String("kind", string(kind))))
	m.log.WarnContext(ctx, "the mirror of the upstream is not renewed", "kind", string(kind), "error", err)
	wait := min(time.Second<<min(failed, 20), longestWait)
	return max(after, wait/2+rand.N(wait/2))
}

// Round brings the mirror to what the upstream is. It keeps no page once alive fails: another replica mirrors then.
func (m *Mirror) Round(ctx context.Context, alive func(context.Context) error) error {
	if err := m.model(ctx); err != nil {
		return err
	}
	source := m.cfg.source()
	state, err := m.store.MirrorState(ctx, source)
	if err != nil {
		return err
	}
	if state.Token == "" {
		state.Beginning, state.Round = true, state.Round+1
	}
	told := 0
	for range maxPages {
		page, err := m.page(ctx, state)
		if err != nil {
			return m.expired(ctx, state, err)
		}
		changes, token, ended, err := read(page, state.Token)
		if err != nil {
			return err
		}
		told += present(changes)
		if ended && state.Beginning && state.Token == "" && told == 0 {
			return errBadUpstream("it has nothing at all") // what is there would be taken from readers
		}
		if err := alive(ctx); err != nil {
			return err
		}
		if changes, err = m.begin(ctx, source, state, changes, alive); err != nil {
			return err
		}
		first := state.Beginning && ended
		state.Token, state.Beginning = token, state.Beginning && !ended
		if err := m.apply(ctx, source, state, changes, first, ended); err != nil || ended {
			return err
		}
	}
	return errBadUpstream("a round has more than %d pages", maxPages)
}

// present is the number of changes that are no deletions.
func present(changes []store.MirrorChange) (n int) {
	for _, c := range changes {
		if !c.Deleted {
			n++
		}
	}
	return n
}

// begin stores the items of a page that exceed one transaction, and returns the rest. It does not move the sync token: when the process
// dies before the rest is stored, the next process gets the whole page again.
func (m *Mirror) begin(ctx context.Context, source string, state store.MirrorState, changes []store.MirrorChange, alive func(context.Context) error) ([]store.MirrorChange, error) {
	for len(changes) > maxAtOnce {
		if err := m.store.Mirror(ctx, source, state, changes[:maxAtOnce], m.refused(ctx)); err != nil {
			return nil, err
		}
		if err := alive(ctx); err != nil {
			return nil, err
		}
		changes = changes[maxAtOnce:]
	}
	return changes, nil
}

// refused counts and logs an item that the store refuses.
func (m *Mirror) refused(ctx context.Context) func(entry.Key, error) {
	return func(key entry.Key, err error) {
		m.failures.Add(ctx, 1, metric.WithAttributes(attribute.String("kind", string(Refused))))
		m.log.WarnContext(ctx, "an item of the upstream is refused", "kind", string(key.Kind), "id", key.ID, "error", err)
	}
}

// apply stores the rest of a page. A separate transaction ends the round after its last page. When the process dies before that
// transaction, the next process does not restart the sync: its next round ends the sync's first round.
func (m *Mirror) apply(ctx context.Context, source string, state store.MirrorState, changes []store.MirrorChange, first, ended bool) error {
	before := state
	before.Beginning = before.Beginning || first
	if err := m.store.Mirror(ctx, source, before, changes, m.refused(ctx)); err != nil || !ended {
		return err
	}
	state.SyncedAt = m.now()
	if err := m.store.EndMirrorRound(ctx, source, state, first); err != nil {
		return err
	}
	m.syncedAt.Store(state.SyncedAt.Unix())
	return nil
}

// model mirrors the locales and content types.
func (m *Mirror) model(ctx context.Context) error {
	var answer localesAnswer
	if err := m.client.get(ctx, "/locales", url.Values{}, &answer); err != nil {
		return err
	}
	locales, err := answer.locales()
	if err != nil {
		return err
	}
	var types typesAnswer
	if err := m.client.get(ctx, "/content_types", url.Values{"limit": {"1000"}}, &types); err != nil {
		return err
	}
	all, err := types.types()
	if err != nil {
		return err
	}
	if err := m.store.MirrorLocales(ctx, locales); err != nil {
		return err
	}
	for _, t := range all {
		if err := m.store.MirrorContentType(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mirror) page(ctx context.Context, state store.MirrorState) (page syncAnswer, err error) {
	query := url.Values{"initial": {"true"}, "limit": {"1000"}}
	if state.Token != "" {
		query = url.Values{"sync_token": {state.Token}}
	}
	return page, m.client.get(ctx, "/sync", query, &page)
}

// expired restarts the sync when the upstream no longer knows the sync token.
func (m *Mirror) expired(ctx context.Context, state store.MirrorState, err error) error {
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Expired {
		return err
	}
	state.Token = ""
	return errors.Join(err, m.store.Mirror(ctx, m.cfg.source(), state, nil, nil))
}

// read returns the changes of a page, and the token that continues the sync.
func read(page syncAnswer, before string) (changes []store.MirrorChange, token string, ended bool, err error) {
	if token, ended, err = page.next(); err != nil {
		return nil, "", false, err
	}
	if !ended && (token == before || len(page.Items) == 0) {
		return nil, "", false, errBadUpstream("a page leads to no other")
	}
	for _, item := range page.Items {
		change, err := item.change()
		if err != nil {
			return nil, "", false, err
		}
		changes = append(changes, change)
	}
	return changes, token, ended, nil
}
