// Package gateway is the backend-for-frontend: the only thing a browser talks to. See README.md.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
)

// Name of the gateway among the services.
const Name = "gateway"

// Config of the gateway; see README.md for the variables.
type Config struct {
	// Server is the public side: ADDR and DRAIN_DELAY.
	Server server.Config
	// AdminAddr serves metrics and health to operators, never to browsers.
	AdminAddr string `env:"ADMIN_ADDR" envDefault:"127.0.0.1:0"`
	// PublicURL is where browsers find the gateway, without a path.
	PublicURL string `env:"PUBLIC_URL,required"`
	// AssetsDir holds the built app.
	AssetsDir string     `env:"ASSETS_DIR" envDefault:"frontend/dist"`
	RedisURL  config.URL `env:"REDIS_URL,required"`
	Session   session.Config
	Login     login.Config
	Upstream  upstream.Config
	// ServiceKey signs the calls to the services: an Ed25519 seed, 32 bytes in base64.
	ServiceKey config.Secret `env:"SERVICE_KEY,required"`
	// TrustedProxies are the addresses and prefixes whose X-Forwarded-For counts.
	TrustedProxies string `env:"TRUSTED_PROXIES"`
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
	return errors.Join(urlErr, proxyErr, scaleErr, c.Session.Validate(), c.Login.Validate(), c.Upstream.Validate())
}

func (c *Config) publicURL() (*url.URL, error) {
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return nil, fmt.Errorf("PUBLIC_URL: %q is not an http(s) address without a path", c.PublicURL)
	}
	return u, nil
}

// Program is the gateway as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{Name: Name, Run: Run}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	admin := server.New(Name, server.Config{Addr: cfg.AdminAddr, DrainDelay: cfg.Server.DrainDelay}, tel)
	admin.Defer(tel.Shutdown)
	rdb, err := openRedis(cfg.RedisURL)
	if err != nil {
		return err
	}
	admin.Defer(func(context.Context) error { return rdb.Close() })
	stopping, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	g, err := build(cfg, parts{redis: rdb, tel: tel, now: time.Now, stopping: stopping.Done()})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { g.draining.Store(true) })
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Server.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	admin.Handle("GET /metrics", tel.Handler)
	admin.Ready("redis", g.ready)
	admin.Go("public", func(ctx context.Context) error { return g.serve(ctx, listener, stop) })
	tel.Log.InfoContext(ctx, "serving browsers", "addr", listener.Addr().String(), "public", cfg.PublicURL)
	return admin.Run(ctx)
}

// Times of the Redis client: what waits for it is a person.
const (
	redisDial = time.Second
	redisCall = time.Second
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
	return redis.NewClient(options), nil
}

// The limits of the public server's connections.
const (
	headerTime   = 5 * time.Second
	idleTime     = 90 * time.Second
	maxHeader    = 32 << 10
	shutdownTime = 10 * time.Second
)

// gateway is everything built and ready to serve.
type gateway struct {
	handler  http.Handler
	conns    *guard.Connections
	redis    redis.UniversalClient
	tel      *telemetry.Telemetry
	draining atomic.Bool
}

// serve answers browsers until ctx ends; then streams end and the rest is drained.
func (g *gateway) serve(ctx context.Context, listener net.Listener, stop func()) error {
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return errors.New("the public listener is not TCP")
	}
	public := g.server()
	public.RegisterOnShutdown(stop)
	failed := make(chan error, 1)
	go func() { failed <- g.conns.Serve(public, tcp) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := public.Shutdown(bounded); err != nil {
		return errors.Join(err, public.Close())
	}
	return nil
}
