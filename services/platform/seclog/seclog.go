// Package seclog writes down what somebody looks at after an attack: who signed in, who failed to, who was
// refused, what admins did. Each is one structured line "security" and one count, so that credential
// stuffing, a locked account or a stolen key can be noticed and followed up.
//
// A line names a member by uid. A name that was typed and a network address stand there as keyed hashes
// alone: who holds the key can ask whether two lines are about the same one, and nobody can read it back.
// It never takes a password, a token, a code or a mail address. A flood of one kind is counted in full, and
// its lines are limited: those about known members apart from the rest, so that a flood at invented names
// does not hide what happens to a member.
package seclog

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/telemetry"
)

// Kind of an event.
type Kind string

// The kinds.
const (
	// SignIn is a password or a passkey that was given: Success, Failure, Locked, Unconfirmed, ResetRequired, or Leaving. Success with the
	// procedure sign_up is a new member whom the code of their sign-up signed in.
	SignIn Kind = "sign_in"
	// NewDevice is a member who signed in with a browser that was not known: Success.
	NewDevice Kind = "new_device"
	// Passkey is one of a member's: Added, Removed, Failure where one was not proved, or Reused where there may be two of it.
	Passkey Kind = "passkey"
	// SecondStep is a code of a member's authenticator app, or a recovery code: Added, Removed, Renewed (recovery codes), Success, Recovered (by
	// a recovery code), Failure, Reused, or Locked.
	SecondStep Kind = "second_step"
	// SignOut is a session at the provider that its member ended.
	SignOut Kind = "sign_out"
	// SignUp is a form that was sent: Success, Failure, or Locked.
	SignUp Kind = "sign_up"
	// Confirmation is a mailed code that was given: Success, Failure, or Locked.
	Confirmation Kind = "confirmation"
	// PasswordReset is a forgotten password: Asked for a code, Success, Failure, or Locked.
	PasswordReset Kind = "password_reset"
	// PasswordChange is a member's own: Success, Failure, or Locked.
	PasswordChange Kind = "password_change"
	// AddressChange is a member's other address: Asked for, Success, Failure, Locked, or Stopped by the letter to the present one.
	AddressChange Kind = "address_change"
	// Deletion is an account that its member wants deleted: Success, Failure (a wrong password), or Locked.
	Deletion Kind = "deletion"
	// AppConsent is what a member let an app of somebody else do, taken back: Removed; Caller is the app.
	AppConsent Kind = "app_consent"
	// Token is a code or a refresh token that came twice: Reused.
	Token Kind = "token"
	// Access is a call that was refused; its outcome is the reason in lower case.
	Access Kind = "access"
	// Limit is a call that a limit of a door refused, and Rule one that breaks the contract; their outcome is the reason in lower case.
	Limit Kind = "limit"
	Rule  Kind = "rule"
	// Admin is what only an admin may do, done: Success.
	Admin Kind = "admin"
)

// Outcome of an event.
type Outcome string

// The outcomes.
const (
	Success     Outcome = "success"
	Failure     Outcome = "failure"
	Locked      Outcome = "locked"
	Unconfirmed Outcome = "unconfirmed"
	Reused      Outcome = "reused"
	Asked       Outcome = "asked"
	Stopped     Outcome = "stopped"
	Added       Outcome = "added"
	Removed     Outcome = "removed"
	Renewed     Outcome = "renewed"
	Recovered   Outcome = "recovered"
	// ResetRequired: right, but an operator demands another.
	ResetRequired Outcome = "reset_required"
	// Leaving: right, but the account is to be deleted.
	Leaving Outcome = "leaving"
)

// Event is what happened. Empty fields are left out.
type Event struct {
	Kind    Kind
	Outcome Outcome
	// UID of the member whom it is about.
	UID string
	// Login is what was typed, and Address the caller's network address; they are hashed here.
	Login, Address string
	// Procedure that was called, and Caller, the service or client that called it.
	Procedure, Caller string
}

// linesPerSecond bounds the lines of one kind and outcome, with a uid and without one each.
const linesPerSecond = 20

// Log writes events. The nil Log writes nothing. It is ready for concurrent use.
type Log struct {
	log     *slog.Logger
	key     []byte
	now     func() time.Time
	events  metric.Int64Counter
	mu      sync.Mutex
	windows map[series]*window
}

type series struct {
	kind    Kind
	outcome Outcome
	// member is whether its lines are about a known one.
	member bool
}

// window is one second of a series.
type window struct {
	second, lines, left int64
}

// New is a Log. Without a secret the hashes are this process's own: lines of two processes, or of one
// before and after its restart, cannot be compared.
func New(tel *telemetry.Telemetry, secret config.Secret, now func() time.Time) (*Log, error) {
	key := []byte(secret.Reveal())
	if len(key) == 0 {
		key = []byte(rand.Text())
	}
	events, err := tel.Metrics.Meter("serein.app/services/platform/seclog").Int64Counter("serein.security.events",
		metric.WithUnit("{event}"), metric.WithDescription("Lines of the security log, written or left out, by `event` and `outcome`. A "+
			"service counts `access`, calls refused for want of proof or right, and `admin`, what admins did; `access` between "+
			"services is a wrong key or somebody inside the network"))
	if err != nil {
		return nil, fmt.Errorf("security events: %w", err)
	}
	return &Log{log: tel.Log, key: key, now: now, events: events, windows: map[series]*window{}}, nil
}

// Record counts the event and writes its line, unless there were many like it in this second.
func (l *Log) Record(ctx context.Context, e Event) {
	if l == nil {
		return
	}
	l.events.Add(ctx, 1, metric.WithAttributes(attribute.String("event", string(e.Kind)), attribute.String("outcome", string(e.Outcome))))
	left, ok := l.room(series{e.Kind, e.Outcome, e.UID != ""})
	if !ok {
		return
	}
	attrs := []slog.Attr{slog.String("event", string(e.Kind)), slog.String("outcome", string(e.Outcome))}
	for _, a := range []slog.Attr{
		slog.String("uid", e.UID), slog.String("login_hash", l.hash("login", e.Login)), slog.String("address_hash", l.hash("address", e.Address)),
		slog.String("procedure", e.Procedure), slog.String("caller", e.Caller),
	} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	if left > 0 {
		attrs = append(attrs, slog.Int64("lines_left_out", left))
	}
	level := slog.LevelWarn
	if e.Outcome == Success {
		level = slog.LevelInfo
	}
	l.log.LogAttrs(ctx, level, "security", attrs...)
}

// refusals are the kinds of errors that are an event where a door answers with them.
var refusals = map[errs.Kind]Kind{errs.Unauthenticated: Access, errs.Forbidden: Access, errs.Exhausted: Limit, errs.Invalid: Rule}

// Refused records a call that a door refused, for want of proof or right, by a limit or since it breaks the contract, with its
// reason as the outcome; other errors are no event. What a service refuses behind the door is its own to record.
func (l *Log) Refused(ctx context.Context, err error, e Event) {
	refusal := errs.From(err)
	kind, ok := refusals[refusal.Kind]
	if !ok {
		return
	}
	e.Kind, e.Outcome = kind, Outcome(strings.ToLower(refusal.Word()))
	l.Record(ctx, e)
}

// room says whether a line of the series may be written, and how many were left out since the last.
func (l *Log) room(s series) (left int64, ok bool) {
	second := l.now().Unix()
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.windows[s]
	if w == nil {
		w = &window{}
		l.windows[s] = w
	}
	if w.second != second {
		w.second, w.lines = second, 0
	}
	if w.lines >= linesPerSecond {
		w.left++
		return 0, false
	}
	w.lines++
	left, w.left = w.left, 0
	return left, true
}

// hash is the same for the same text under the same key, 64 bits of it: enough to tell lines apart.
func (l *Log) hash(use, text string) string {
	if text == "" {
		return ""
	}
	m := hmac.New(sha256.New, l.key)
	m.Write([]byte(use + "\x00" + text))
	return hex.EncodeToString(m.Sum(nil)[:8])
}
