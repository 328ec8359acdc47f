// Package cognitopool is a fake user pool of AWS Cognito for tests: its sign-up calls as its public documentation describes them, and
// its hosted sign-in. It can be told to refuse with any kind of error, to hang and to fail. Test only.
package cognitopool

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"serein.app/services/testkit/issuer"
)

// The app client that the pool knows, and the code that it sends to everybody.
const (
	ClientID     = "7pool1client2of3tests"
	ClientSecret = "the app client's secret at the fake pool"
	Code         = "482913"
)

// Pool is a running pool. URL is its region's endpoint.
type Pool struct {
	URL string

	mu sync.Mutex
	// subs are the users' subjects, by name.
	subs   map[string]string
	calls  []Call
	refuse Refusal
	hold   chan struct{}
}

// Call is one that reached the pool.
type Call struct {
	Operation string
	Body      map[string]any
	// Signed: it came with credentials, which these calls have none of.
	Signed bool
}

// Refusal is what the pool answers instead of doing anything; the zero value: nothing.
type Refusal struct {
	Status        int
	Kind, Message string
}

// Start runs a pool until the test ends.
func Start(tb testing.TB) *Pool {
	tb.Helper()
	p := &Pool{subs: map[string]string{}}
	server := httptest.NewServer(http.HandlerFunc(p.serve))
	tb.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Refuse makes the pool answer so from now on.
func (p *Pool) Refuse(r Refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = r
}

// Hold makes calls wait until the channel is closed.
func (p *Pool) Hold(until chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold = until
}

// Calls are those that reached it.
func (p *Pool) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Call(nil), p.calls...)
}

// Sub is the subject of a user.
func (p *Pool) Sub(username string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.subs[username]
}

func (p *Pool) serve(w http.ResponseWriter, r *http.Request) {
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AWSCognitoIdentityProviderService.")
	var body map[string]any
	if json.NewDecoder(r.Body).Decode(&body) != nil || r.Header.Get("Content-Type") != "application/x-amz-json-1.1" {
		answer(w, http.StatusBadRequest, map[string]any{"__type": "SerializationException"})
		return
	}
	p.mu.Lock()
	p.calls = append(p.calls, Call{operation, body, r.Header.Get("Authorization") != ""})
	hold, refuse := p.hold, p.refuse
	p.mu.Unlock()
	if hold != nil {
		<-hold
	}
	if refuse.Status != 0 {
		answer(w, refuse.Status, map[string]any{"__type": refuse.Kind, "message": refuse.Message})
		return
	}
	out, kind := p.do(operation, body)
	if kind != "" {
		answer(w, http.StatusBadRequest, map[string]any{"__type": kind, "message": "The pool says: " + kind})
		return
	}
	answer(w, http.StatusOK, out)
}

// do gives an answer, or the kind of a refusal.
func (p *Pool) do(operation string, body map[string]any) (out any, kind string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := func(name string) string { s, _ := body[name].(string); return s }
	name := text("Username")
	if text("ClientId") != ClientID {
		return nil, "ResourceNotFoundException"
	}
	if !hmac.Equal([]byte(text("SecretHash")), []byte(secretHash(name))) {
		return nil, "NotAuthorizedException"
	}
	_, known := p.subs[name]
	delivery := map[string]any{"CodeDeliveryDetails": map[string]string{"AttributeName": "email", "DeliveryMedium": "EMAIL", "Destination": "a***@e***"}}
	switch {
	case operation == "SignUp" && known:
		return nil, "UsernameExistsException"
	case operation == "SignUp":
		p.subs[name] = uuid.NewString()
		return map[string]any{"UserConfirmed": false, "UserSub": p.subs[name]}, ""
	case !known:
		return nil, "UserNotFoundException"
	case operation == "ResendConfirmationCode" || operation == "ForgotPassword":
		return delivery, ""
	case text("ConfirmationCode") != Code:
		return nil, "CodeMismatchException"
	case operation == "ConfirmSignUp" || operation == "ConfirmForgotPassword":
		return struct{}{}, ""
	}
	return nil, "UnknownOperationException"
}

func secretHash(username string) string {
	m := hmac.New(sha256.New, []byte(ClientSecret))
	m.Write([]byte(username + ClientID))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// HostedSignIn makes an issuer behave as a pool's: it names no issuer in its redirect (RFC 9207 is not offered), its ID tokens have the
// pool's own claims, and its userinfo has words for what elsewhere is true and false.
func HostedSignIn(op *issuer.Issuer, sub string) {
	op.With(func(b *issuer.Behaviour) {
		b.Subject = sub
		b.Unnamed = true
		b.AccessLife = time.Hour
		b.Claims = map[string]any{
			"cognito:username": "ada", "token_use": "id", "auth_time": time.Now().Unix(), "email_verified": true, "preferred_username": nil, "given_name": nil, "email": nil,
		}
		b.UserInfo = map[string]any{"sub": sub, "username": "ada", "email": "ada@example.org", "email_verified": "true", "given_name": "Ada", "family_name": "Lovelace"}
	})
}
