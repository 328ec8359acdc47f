// Package gateway is the backend-for-frontend: the only thing a browser talks to. See README.md.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"google.golang.org/protobuf/proto"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
)

// Name of the gateway among the services.
const Name = "gateway"

// Config of the gateway; see README.md for the variables.
type Config struct {
	// While the broker is away, views are kept for two seconds at most.
	service.EdgeConfig
	// PublicAddr is where browsers are answered, in plain HTTP/1.1: TLS and h2 are a proxy's.
	PublicAddr string `env:"PUBLIC_ADDR" envDefault:"127.0.0.1:0"`
	// PublicURL is where browsers find the gateway, without a path.
	PublicURL string `env:"PUBLIC_URL,required"`
	// AssetsDir is the folder of the built app, read once at the start.
	AssetsDir string `env:"ASSETS_DIR" envDefault:"frontend/dist"`
	// RedisURL is where sessions and rate limits are kept: redis://[user:password@]host:port[/db].
	RedisURL config.URL `env:"REDIS_URL,required"`
	Session  session.Config
	Login    login.Config
	Upstream upstream.Config
	// TrustedProxies are the addresses and prefixes whose X-Forwarded-For counts.
	TrustedProxies string `env:"TRUSTED_PROXIES"`
	// SecurityLogSecret keys the hashes of addresses in the security log, the same as identity's; empty:
	// each process has its own, and its lines cannot be compared with another's.
	SecurityLogSecret config.Secret `env:"SECURITY_LOG_SECRET"`
	// DebugSignIn opens /debug-sign-in, which shows members the claims and lifetimes of their own sign-in,
	// never a token. Without it neither the page nor its call exists (404).
	DebugSignIn bool `env:"DEBUG_SIGNIN"`
	// LimitScale multiplies every rate limit, for stacks that are tested from one address.
	LimitScale float64 `env:"LIMIT_SCALE" envDefault:"1"`
}

// Validate finds what cannot work.
func (c *Config) Validate() error {
	_, urlErr := c.publicURL()
	_, proxyErr := clientip.ParseProxies(c.TrustedProxies)
	if proxyErr != nil {
		proxyErr = fmt.Errorf("TRUSTED_PROXIES: %w", proxyErr)
	}
	var scaleErr error
	if !(c.LimitScale > 0 && c.LimitScale <= 1e6) { // also NaN
		scaleErr = errors.New("LIMIT_SCALE: want a number above 0, at most 1000000")
	}
	return errors.Join(urlErr, proxyErr, scaleErr, c.EdgeConfig.Validate(), c.Session.Validate(), c.Login.Validate())
}

func (c *Config) publicURL() (*url.URL, error) {
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return nil, fmt.Errorf("PUBLIC_URL: %q is not an http(s) address without a path", c.PublicURL)
	}
	if err := config.CheckURL(c.PublicURL); err != nil {
		return nil, fmt.Errorf("PUBLIC_URL: %w", err)
	}
	return u, nil
}

// Program is the gateway as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{
		Name: Name, Run: Run, Consumes: []proto.Message{new(eventsv1.SessionEnded)},
		Follows: []string{upstream.Identity, upstream.Billing, upstream.Generation, upstream.Content},
	}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.RunEdge(ctx, Name, cfg.EdgeConfig, func(ctx context.Context, s *service.Service) error { return open(ctx, s, cfg) })
}

// open has the gateway follow the services' events and answer browsers, for as long as s runs.
func open(ctx context.Context, s *service.Service, cfg Config) error {
	rdb, err := openRedis(cfg.RedisURL)
	if err != nil {
		return err
	}
	s.Defer(func(context.Context) error { return rdb.Close() })
	g, err := build(s, cfg, parts{redis: rdb, now: time.Now})
	if err != nil {
		return err
	}
	ended, err := sessionEnded(g.sessions)
	if err != nil {
		return err
	}
	s.Consume(ended)
	s.Go("view", func(ctx context.Context) error { return g.view.Follow(ctx, s.Bus) })
	listener, err := server.Listen(ctx, cfg.PublicAddr)
	if err != nil {
		return err
	}
	s.Public(g.public(listener))
	return nil
}

// Times of the Redis client: what waits for it is a person.
var (
	redisDial = deadline.Of(time.Second)
	redisCall = deadline.Of(time.Second)
)

func openRedis(address config.URL) (*redis.Client, error) {
	options, err := redis.ParseURL(address.Reveal())
	if err != nil {
		return nil, errors.New("REDIS_URL: want redis://[user:password@]host:port[/db]")
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisDial, redisCall, redisCall
	options.PoolTimeout = redisCall
	options.ContextTimeoutEnabled = true
	options.MaxRetries, options.DialerRetries = 1, 1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // its own lines come with every failed dial; failures are seen where they matter
	return redis.NewClient(options), nil
}

// gateway is everything built and ready to serve.
type gateway struct {
	handler http.Handler
	conns   *guard.Connections
	// sessions and view receive the services' events.
	sessions *session.Sessions
	view     *view.View
}

func (g *gateway) public(listener *net.TCPListener) server.Public {
	return server.Public{Listener: listener, Handler: g.handler, Serve: g.conns.Serve}
}
