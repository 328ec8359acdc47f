package oidcop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"
)

// maxClients bounds the file of clients, in bytes: some ten thousand clients.
const maxClients = 4 << 20

// Clients are the registered ones: those of a list, or those that a file names now. A file that cannot be taken
// changes nothing: the clients before it stay until it is mended.
type Clients struct {
	// path of the file; empty: a list that stays.
	path    string
	log     *slog.Logger
	current atomic.Pointer[registered]
	// refused: what the file holds now was not taken.
	refused atomic.Bool
	// seen is what was read last, and gone that nothing could be; both are Follow's.
	seen []byte
	gone bool
}

// registered are the clients of one moment.
type registered struct {
	byID map[string]*client
	// origins are those of all public clients.
	origins map[string]bool
}

// OpenClients reads CLIENTS: a JSON list, or the path of a file that holds one. Errors: every fault of it.
func OpenClients(value string, meters metric.MeterProvider, log *slog.Logger) (*Clients, error) {
	c := &Clients{log: log}
	raw, err := rawClients(value)
	if err != nil {
		return nil, err
	}
	configs, err := parseClients(raw)
	if err != nil {
		return nil, err
	}
	c.set(configs)
	if c.seen = raw; !isList(value) {
		c.path = value
	}
	_, err = meters.Meter("serein/identity").Int64ObservableGauge("serein.identity.clients.refused",
		metric.WithDescription("1 while the file of clients cannot be taken, and those before it stand: the log says why"),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(map[bool]int64{true: 1}[c.refused.Load()])
			return nil
		}))
	return c, err
}

// Follow reads the file again at every interval and applies its changes, until ctx ends.
func (c *Clients) Follow(ctx context.Context, every time.Duration) error {
	if c.path == "" {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			c.look(ctx)
		}
	}
}

// look reads the file and takes it where it has changed. What is wrong with it is said once.
func (c *Clients) look(ctx context.Context) {
	raw, err := readClients(c.path)
	if gone := err != nil; gone == c.gone && bytes.Equal(raw, c.seen) {
		return
	}
	c.seen, c.gone = raw, err != nil
	var configs []ClientConfig
	if err == nil {
		configs, err = parseClients(raw)
	}
	c.refused.Store(err != nil)
	if err != nil {
		c.log.ErrorContext(ctx, "the file of clients is not taken; those before it stand", "error", err)
		return
	}
	c.set(configs)
	c.log.InfoContext(ctx, "the file of clients is taken", "clients", len(configs))
}

func (c *Clients) set(configs []ClientConfig) {
	fresh := &registered{byID: make(map[string]*client, len(configs)), origins: map[string]bool{}}
	for _, config := range configs {
		made := newClient(config)
		fresh.byID[config.ID] = made
		for origin := range made.origins {
			fresh.origins[origin] = true
		}
	}
	c.current.Store(fresh)
}

// find gives the client of that id as it is registered now.
func (c *Clients) find(id string) (*client, bool) {
	found, ok := c.current.Load().byID[id]
	return found, ok
}

// shown is what members are told that the client of that id is called.
func (c *Clients) shown(id string) string {
	if found, ok := c.find(id); ok {
		return cmp.Or(found.Name, id)
	}
	return id
}

// all are the clients of this moment, by id.
func (c *Clients) all() map[string]*client { return c.current.Load().byID }

// Told are the ids of the clients that want a notice of each ended session.
func (c *Clients) Told() []string {
	var ids []string
	for id, known := range c.all() {
		if known.BackChannelLogoutURI != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// anyPublic says whether pages of that origin belong to a public client.
func (c *Clients) anyPublic(origin string) bool { return c.current.Load().origins[origin] }

func isList(value string) bool { return strings.HasPrefix(strings.TrimSpace(value), "[") }

// LoadClients reads CLIENTS: a JSON list, or the path of a file that holds one. It reports
// every fault and repeats no secret.
func LoadClients(value string) ([]ClientConfig, error) {
	raw, err := rawClients(value)
	if err != nil {
		return nil, err
	}
	return parseClients(raw)
}

func rawClients(value string) ([]byte, error) {
	if isList(value) {
		return []byte(value), nil
	}
	return readClients(value)
}

func readClients(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.New("CLIENTS: neither a JSON list nor a file that can be read")
	}
	defer func() { _ = file.Close() }()
	raw, err := io.ReadAll(io.LimitReader(file, maxClients+1))
	if err != nil || len(raw) > maxClients {
		return nil, fmt.Errorf("CLIENTS: the file cannot be read, or has more than %d bytes", maxClients)
	}
	return raw, nil
}

func parseClients(raw []byte) ([]ClientConfig, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var clients []ClientConfig
	if err := decoder.Decode(&clients); err != nil || decoder.More() {
		return nil, errors.New("CLIENTS: not a JSON list of clients with id, secret, previous_secret, public, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, scopes, first_party, password_auth, name, id_token_signed_response_alg")
	}
	var faults []error
	seen := map[string]bool{}
	for _, c := range clients {
		faults = append(faults, c.validate())
		if seen[c.ID] {
			faults = append(faults, fmt.Errorf("CLIENTS: %q is there twice", c.ID))
		}
		seen[c.ID] = true
	}
	if len(clients) == 0 {
		faults = append(faults, errors.New("CLIENTS: no client"))
	}
	return clients, errors.Join(faults...)
}
