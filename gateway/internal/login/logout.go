package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	jose "github.com/go-jose/go-jose/v4"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/gateway/internal/session"
)

// BackChannelPath is where the provider tells of sessions that have ended there.
const BackChannelPath = "/auth/backchannel-logout"

const (
	// maxLogoutToken bounds what is parsed before anything is proved, in bytes.
	maxLogoutToken = 8 << 10
	// usedLife bounds how long a logout token is known to be used, whatever end it names itself.
	usedLife = 24 * time.Hour
)

// errUsed: the token came before.
var errUsed = errors.New("the token was used before")

// BackChannel answers POST /auth/backchannel-logout (OpenID Connect Back-Channel Logout 1.0, 2.5 to 2.8): the provider
// names a session there, or a member, and what came of it here ends. It needs no cookie and no header of ours: the token
// is proved, and nothing else counts. 400 for one that is none, 503 where it should come again.
func (l *Login) BackChannel(w http.ResponseWriter, r *http.Request) {
	outcome, status := "ended", http.StatusOK
	err := l.logOut(r)
	switch {
	case errors.Is(err, errProof):
		outcome, status = "refused", http.StatusBadRequest
	case err != nil:
		outcome, status = "unavailable", http.StatusServiceUnavailable
	}
	l.logouts.Add(r.Context(), 1, metric.WithAttributes(attribute.String("outcome", outcome)))
	w.Header().Set("Cache-Control", "no-store") // 2.8
	if err == nil {
		return
	}
	l.log.WarnContext(r.Context(), "the provider's word that a session has ended was not taken", "outcome", outcome, "error", err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": map[string]string{"refused": "invalid_request", "unavailable": "temporarily_unavailable"}[outcome]})
}

func (l *Login) logOut(r *http.Request) error {
	if err := r.ParseForm(); err != nil || len(r.PostForm["logout_token"]) != 1 || len(r.PostForm.Get("logout_token")) > maxLogoutToken {
		return errProof.Because(errors.New("want one logout_token in a form"))
	}
	token, err := l.provider.logoutToken(r.Context(), r.PostForm.Get("logout_token"))
	if err != nil {
		return err
	}
	if err := l.attempts.use(r.Context(), token, l.now()); err != nil {
		return err
	}
	err = l.end(r.Context(), token)
	if err != nil { // the same token may come again
		err = errors.Join(err, l.attempts.unuse(context.WithoutCancel(r.Context()), token))
	}
	return err
}

// end ends what came of the session that the token names, or, where it names none, all of the member's until then.
func (l *Login) end(ctx context.Context, token *oidc.LogoutToken) error {
	if token.SessionID != "" {
		return l.sessions.EndProvided(ctx, token.Subject, token.SessionID)
	}
	return l.sessions.EndMember(ctx, token.Subject, token.IssuedAt)
}

// logoutToken proves one: signature by a key of the provider's and an algorithm of ours, issuer, audience, end, a
// session or a member, the event, an id and no nonce in go-oidc; type, issue time and the event's form here (2.6).
// Errors: errProof, errAway.
func (p *Provider) logoutToken(ctx context.Context, raw string) (*oidc.LogoutToken, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	token, err := d.verifier.VerifyLogout(p.with(ctx), raw)
	if err == nil {
		err = checkLogout(raw, token, p.now())
	}
	if err != nil {
		return nil, errProof.Because(err)
	}
	return token, nil
}

func checkLogout(raw string, token *oidc.LogoutToken, now time.Time) error {
	signed, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.PS256, jose.EdDSA})
	if err != nil {
		return err
	}
	// Providers of before the type was recommended send none, or that of every JWT. Access tokens have their own.
	if kind, named := signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType]; named && kind != "logout+jwt" && kind != "JWT" {
		return fmt.Errorf("the token is a %v", kind)
	}
	var c struct {
		Events map[string]json.RawMessage `json:"events"`
	}
	if err := token.Claims(&c); err != nil {
		return err
	}
	switch event := c.Events["http://schemas.openid.net/event/backchannel-logout"]; {
	case !bytes.HasPrefix(bytes.TrimSpace(event), []byte("{")):
		return errors.New("the event is no object")
	case token.IssuedAt.Unix() <= 0:
		return errors.New("the token does not say when it was issued")
	case token.IssuedAt.After(now.Add(clockLeeway)):
		return fmt.Errorf("the token is from the future: %v", token.IssuedAt)
	}
	return nil
}

func usedKey(t *oidc.LogoutToken) string { return "serein:logout:" + session.Hash(t.TokenID) }

// use takes a logout token once. Errors: errProof, errAway.
func (s *attempts) use(ctx context.Context, t *oidc.LogoutToken, now time.Time) error {
	fresh, err := s.redis.SetNX(ctx, usedKey(t), 1, min(max(t.Expiry.Sub(now), 0)+clockLeeway, usedLife)).Result()
	if err != nil {
		return errAway.Because(err)
	}
	if !fresh {
		return errProof.Because(errUsed)
	}
	return nil
}

func (s *attempts) unuse(ctx context.Context, t *oidc.LogoutToken) error {
	return s.redis.Del(ctx, usedKey(t)).Err()
}
