package content

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzhttp"

	"serein.app/services/content/internal/delivery"
	reader "serein.app/services/content/internal/delivery/postgres"
	"serein.app/services/content/internal/media"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/clientip"
	"serein.app/services/platform/config"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seal"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
)

// DeliveryConfig is the delivery API's part of the configuration.
type DeliveryConfig struct {
	// Tokens are the read tokens of the delivery API, as TOKEN or TOKEN=environment|environment,
	// separated by commas. Empty: the API is off.
	Tokens config.Secret `env:"DELIVERY_TOKENS"`
	// Addr is where the delivery API is answered, in plain HTTP/1.1: TLS and h2 are a proxy's.
	Addr string `env:"PUBLIC_ADDR" envDefault:"127.0.0.1:0"`
	// URL is that address as clients know it, where a proxy stands before it; empty: Addr's own.
	URL string `env:"DELIVERY_URL"`
	// Space is the id of the one space.
	Space string `env:"DELIVERY_SPACE" envDefault:"serein"`
	// SpaceName is what people call the space.
	SpaceName string `env:"DELIVERY_SPACE_NAME" envDefault:"Serein"`
	// Secret seals what clients hand back: tokens of syncs and pages, policies of asset keys. Readers
	// begin their syncs again when it is replaced without its previous value.
	Secret config.Secret `env:"DELIVERY_SECRET"`
	// SecretPrevious opens what the secret before it has sealed.
	SecretPrevious config.Secret `env:"DELIVERY_SECRET_PREVIOUS"`
	// MediaHost is where readers get the files of assets: host and port of the gateway as they know it,
	// which serves them under /media/assets/.
	MediaHost string `env:"MEDIA_HOST" envDefault:"localhost"`
	// PerSecond is how many requests a second one token may send from one address.
	PerSecond int `env:"DELIVERY_PER_SECOND" envDefault:"55"`
	// TrustedProxies are the addresses and prefixes whose X-Forwarded-For counts.
	TrustedProxies string `env:"TRUSTED_PROXIES"`
}

// Validate finds what cannot work together.
func (c DeliveryConfig) Validate() error {
	if c.Tokens == "" {
		return nil
	}
	var faults []error
	if _, err := delivery.ParseTokens(c.Tokens); err != nil {
		faults = append(faults, fmt.Errorf("DELIVERY_TOKENS: %w", err))
	}
	if c.Secret == "" {
		faults = append(faults, errors.New("DELIVERY_SECRET is needed with DELIVERY_TOKENS"))
	}
	if c.PerSecond < 1 || c.PerSecond > 1_000_000 {
		faults = append(faults, errors.New("DELIVERY_PER_SECOND: want a number from 1 to 1000000"))
	}
	if c.URL != "" {
		if err := config.CheckURL(c.URL); err != nil {
			faults = append(faults, fmt.Errorf("DELIVERY_URL: %w", err))
		}
	}
	if _, err := clientip.ParseProxies(c.TrustedProxies); err != nil {
		faults = append(faults, fmt.Errorf("TRUSTED_PROXIES: %w", err))
	}
	return errors.Join(faults...)
}

func (c DeliveryConfig) sealer() (*seal.Sealer, error) {
	return seal.New(c.Secret, c.SecretPrevious, "content delivery")
}

// assetKeys prove signed addresses of assets; nil where the API is off and issues none.
func assetKeys(cfg DeliveryConfig) (media.Keys, error) {
	if cfg.Tokens == "" {
		return nil, nil //nolint:nilnil // no keys are good
	}
	sealer, err := cfg.sealer()
	return delivery.NewAssetKeys(sealer, cfg.Space, time.Now), err
}

// serveDelivery answers the delivery API on the public listener, where there are read tokens. age is that of a mirror, nil where
// nothing is mirrored.
func serveDelivery(ctx context.Context, s *service.Service, cfg DeliveryConfig, age contentage.Source) error {
	if cfg.Tokens == "" {
		return nil
	}
	tokens, err := delivery.ParseTokens(cfg.Tokens)
	if err != nil {
		return err
	}
	sealer, err := cfg.sealer()
	if err != nil {
		return err
	}
	trusted, err := clientip.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return err
	}
	pool, err := reader.Open(ctx, s.DB)
	if err != nil {
		return err
	}
	s.Defer(func(context.Context) error { pool.Close(); return nil })
	listener, err := server.Listen(ctx, cfg.Addr)
	if err != nil {
		return err
	}
	if cfg.URL == "" {
		cfg.URL = "http://" + listener.Addr().String()
	}
	api := delivery.New(delivery.Config{
		Store: reader.New(pool), AtOnce: reader.Connections - 1, URL: cfg.URL, Space: cfg.Space, SpaceName: cfg.SpaceName, MediaHost: cfg.MediaHost, Tokens: tokens, Sealer: sealer, PerSecond: cfg.PerSecond,
		TokenLife: store.DeletionsKept, Age: age, Proxies: trusted, Now: time.Now, NewID: uuid.NewString, Log: s.Log,
	})
	door := guard.New(guard.Config{Proxies: trusted, Reads: addressLimit(cfg.PerSecond), TooMany: api.TooMany}, time.Now)
	conns := guard.NewConnections(guard.MaxConnsPerAddress, guard.MaxConns, trusted)
	s.Public(server.Public{Listener: listener, Handler: door.Wrap(guard.SmallBodies(gzhttp.GzipHandler(api))), Serve: conns.Serve})
	return nil
}

// addressLimit bounds what one address sends with whatever tokens, or none: it may be a whole office.
func addressLimit(perSecond int) guard.Limit {
	return guard.Limit{Name: "address", Count: 2 * perSecond, Per: time.Second, Burst: 8 * perSecond}
}
