package oidcop

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/identity/internal/keys"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/outgoing"
)

const (
	// logoutTokenType keeps logout tokens apart from all others (Back-Channel Logout 1.0, 2.4).
	logoutTokenType = "logout+jwt" //nolint:gosec // a media type
	// logoutTokenLife is as long as the specification recommends at most; each try makes a fresh one.
	logoutTokenLife = 2 * time.Minute
	// logoutEvent is what a logout token is about.
	logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
)

// logoutTime bounds one call of a client.
var logoutTime = deadline.Of(5 * time.Second)

// LogoutNotices tell clients of sessions that have ended (OpenID Connect Back-Channel Logout 1.0).
type LogoutNotices struct {
	issuer  string
	clients *Clients
	ring    *keys.Ring
	now     func() time.Time
	newID   func() uuid.UUID
	http    *http.Client
	sent    metric.Int64Counter
}

// LogoutConfig is what LogoutNotices need.
type LogoutConfig struct {
	Issuer  string
	Clients *Clients
	Ring    *keys.Ring
	Now     func() time.Time
	NewID   func() uuid.UUID
	Meters  metric.MeterProvider
	// Transport carries the calls; nil: http.DefaultTransport.
	Transport http.RoundTripper
}

// NewLogoutNotices makes them. A client is called as it is registered, and where it sends the caller on to nobody goes.
func NewLogoutNotices(cfg LogoutConfig) (*LogoutNotices, error) {
	sent, err := cfg.Meters.Meter("serein/identity").Int64Counter("serein.identity.logout_notices", metric.WithUnit("{notice}"),
		metric.WithDescription("Calls that tell a client of an ended session, by `outcome`: `delivered`, `failed`. Many `failed`: a client "+
			"is away, and its members stay signed in there"))
	return &LogoutNotices{
		issuer: cfg.Issuer, clients: cfg.Clients, ring: cfg.Ring, now: cfg.Now, newID: cfg.NewID, sent: sent,
		http: &http.Client{Transport: cfg.Transport, Timeout: logoutTime, CheckRedirect: outgoing.StayHere},
	}, err
}

// Tell sends a client the notice that a member's session has ended. A client that is no longer registered, or has no address for notices
// any more, gets none. Errors: every answer of the client that does not accept the notice; the caller may send it again.
func (n *LogoutNotices) Tell(ctx context.Context, clientID string, uid, sid uuid.UUID) error {
	c, known := n.clients.find(clientID)
	if !known || c.BackChannelLogoutURI == "" {
		return nil
	}
	err := n.tell(ctx, c, uid, sid)
	outcome := "delivered"
	if err != nil {
		outcome, err = "failed", fmt.Errorf("tell %q of an ended session: %w", clientID, err)
	}
	n.sent.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", outcome)))
	return err
}

func (n *LogoutNotices) tell(ctx context.Context, c *client, uid, sid uuid.UUID) error {
	token, err := n.token(ctx, c, uid, sid)
	if err != nil {
		return err
	}
	form := url.Values{"logout_token": {token}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.BackChannelLogoutURI, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := n.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNoContent { // 2.8
		return fmt.Errorf("it answered %s", res.Status)
	}
	return nil
}

// token is a logout token (2.4): whose session, at which client, and nothing else. It is signed as the client's ID tokens are (2.6), has
// no nonce, and is of another type than all others, so that it passes for none of them.
func (n *LogoutNotices) token(ctx context.Context, c *client, uid, sid uuid.UUID) (string, error) {
	key, err := n.ring.Signing(ctx, c.algorithm())
	if err != nil {
		return "", err
	}
	now := n.now()
	return sign(key, logoutTokenType, map[string]any{
		"iss": n.issuer, "aud": c.ID, "sub": uid.String(), "sid": sid.String(), "jti": n.newID().String(),
		"iat": now.Unix(), "exp": now.Add(logoutTokenLife).Unix(), "events": map[string]any{logoutEvent: struct{}{}},
	})
}
