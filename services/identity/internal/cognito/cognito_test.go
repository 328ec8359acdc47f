package cognito

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/testkit"
)

// answers is a domain that answers what the test says: the API must name every refusal, also those
// that this product's own rules never give.
type answers struct {
	admit, answer error
	signedUp      []account.SignUp
	calls         int
	done          map[string]bool
}

func (a *answers) AdmitAPI(context.Context, string) error                { return a.admit }
func (a *answers) Confirm(context.Context, string, string, string) error { a.calls++; return a.answer }

func (a *answers) Resend(context.Context, string, string) error { a.calls++; return a.answer }

func (a *answers) ForgotPassword(context.Context, string, string) error { a.calls++; return a.answer }

func (a *answers) ConfirmForgotPassword(context.Context, string, string, string, string) error {
	a.calls++
	return a.answer
}

func (a *answers) ChangePassword(context.Context, account.Signed, string, string) error {
	a.calls++
	return a.answer
}

func (a *answers) Bearer(context.Context, string) (oidcop.Bearer, error) {
	return oidcop.Bearer{Own: true}, a.answer
}

func (a *answers) SignInWithPassword(context.Context, oidcop.PasswordSignIn) (oidcop.Tokens, error) {
	a.calls++
	return oidcop.Tokens{}, a.answer
}

func (a *answers) Renew(context.Context, string, string, string, string) (oidcop.Tokens, error) {
	a.calls++
	return oidcop.Tokens{}, a.answer
}

func (a *answers) RevokeRefreshToken(context.Context, string, string, string, string) error {
	a.calls++
	return a.answer
}

func (a *answers) SignOutEverywhere(context.Context, uuid.UUID) error { a.calls++; return a.answer }

func (a *answers) SignUp(_ context.Context, in account.SignUp) (account.SignedUp, error) {
	a.signedUp = append(a.signedUp, in)
	return account.SignedUp{}, a.answer
}

func (a *answers) Done(_ context.Context, call string) (bool, error) { return a.done[call], nil }

func (a *answers) MarkDone(_ context.Context, call string) error {
	if a.done == nil {
		a.done = map[string]bool{}
	}
	a.done[call] = true
	return nil
}

const ourSite = "https://app.test"

func handler(t *testing.T, domain *answers) *Handler {
	t.Helper()
	return New(Config{
		Registry: domain, Accounts: domain, Provider: domain, ClientID: "web", Origins: []string{ourSite},
		Address: func(*http.Request) string { return "192.0.2.1" }, NewID: uuid.New, Log: testkit.Logger(t),
	})
}

type reply struct {
	status int
	header http.Header
	body   map[string]any
}

func (r reply) kind() any { return r.body["__type"] }

// ask makes a call with further headers, name and value in turn.
func ask(t *testing.T, domain *answers, operation, body string, headers ...string) reply {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	req.Header.Set("X-Amz-Target", targetPrefix+operation)
	req.Header.Set("Content-Type", contentType)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler(t, domain).ServeHTTP(w, req)
	r := reply{status: w.Code, header: w.Header(), body: map[string]any{}}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &r.body))
	return r
}

// complete has every field that the operations ask for.
const complete = `{"ClientId":"web","Username":"amara","ConfirmationCode":"123456","Password":"p","AccessToken":"t","PreviousPassword":"p",` +
	`"ProposedPassword":"q","RefreshToken":"r","Token":"r","AuthFlow":"USER_PASSWORD_AUTH","AuthParameters":{"USERNAME":"amara","PASSWORD":"p"}}`

func TestEveryRefusalHasTheNameThatTheAPIGivesIt(t *testing.T) {
	t.Parallel()
	for err, name := range map[error]string{
		account.ErrUsernameExists:   "UsernameExistsException",
		account.ErrAliasExists:      "AliasExistsException",
		account.ErrInvalidPassword:  "InvalidPasswordException",
		account.ErrInvalidParameter: "InvalidParameterException",
		account.ErrCodeMismatch:     "CodeMismatchException",
		account.ErrExpiredCode:      "ExpiredCodeException",
		account.ErrNotAuthorized:    "NotAuthorizedException",
		account.ErrUserNotFound:     "UserNotFoundException",
		account.ErrTooManyRequests:  "TooManyRequestsException",
		account.ErrLimitExceeded:    "LimitExceededException",
		account.ErrNotConfirmed:     "UserNotConfirmedException",
		account.ErrPasswordReset:    "PasswordResetRequiredException",
	} {
		for operation := range operations {
			r := ask(t, &answers{answer: err}, operation, complete)
			require.Equal(t, http.StatusBadRequest, r.status, name)
			require.Equal(t, name, r.kind())
			require.Equal(t, name, r.header.Get("X-Amzn-Errortype"))
			require.NotEmpty(t, r.body["message"])
			message, isText := r.body["message"].(string)
			require.True(t, isText)
			require.Equal(t, strings.ReplaceAll(message, "’", "'"), r.header.Get("X-Amzn-Errormessage"), "a header is ASCII")
		}
	}
}

func TestAFailureOfOursIsNotTold(t *testing.T) {
	t.Parallel()
	r := ask(t, &answers{answer: errors.New("password authentication failed for identity@10.0.0.5")}, "ConfirmSignUp", complete)
	require.Equal(t, http.StatusInternalServerError, r.status)
	require.Equal(t, "InternalErrorException", r.body["__type"])
	require.NotContains(t, r.body["message"], "10.0.0.5")
}

func TestACallerIsAdmittedBeforeAnythingIsDone(t *testing.T) {
	t.Parallel()
	domain := &answers{admit: account.ErrTooManyRequests}
	for operation, o := range operations {
		if !o.public {
			continue
		}
		require.Equal(t, "TooManyRequestsException", ask(t, domain, operation, complete).kind())
	}
	require.Equal(t, "ResourceNotFoundException", ask(t, domain, "SignUp", `{"ClientId":"another"}`).body["__type"])
	require.Zero(t, domain.calls)
	require.Empty(t, domain.signedUp)
}

func TestAttributesBecomeTheFormsFields(t *testing.T) {
	t.Parallel()
	domain := &answers{}
	r := ask(t, domain, "SignUp", `{"ClientId":"web","Username":"amara","Password":"three unrelated pebbles","UserAttributes":[
		{"Name":"email","Value":"amara@example.org"},{"Name":"given_name","Value":"Amara"},{"Name":"family_name","Value":"Lindqvist"},
		{"Name":"preferred_username","Value":"ignored"},{"Name":"custom:age_confirmed","Value":"true"},{"Name":"custom:terms_version","Value":"terms 2026-10-01, privacy 2026-11-01"}]}`)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	require.Equal(t, contentType, r.header.Get("Content-Type"))
	require.Equal(t, []account.SignUp{{
		Username: "amara", Email: "amara@example.org", GivenName: "Amara", FamilyName: "Lindqvist",
		Password: "three unrelated pebbles", AgeConfirmed: true, TermsVersion: "terms 2026-10-01, privacy 2026-11-01", Address: "192.0.2.1",
	}}, domain.signedUp)

	ask(t, domain, "SignUp", `{"ClientId":"web","UserAttributes":[{"Name":"custom:age_confirmed","Value":"yes"}]}`)
	require.False(t, domain.signedUp[1].AgeConfirmed, "only true is true")
}

func TestAnAttributeIsKnownAndThereOnce(t *testing.T) {
	t.Parallel()
	for name, attributes := range map[string]string{
		"unknown":      `{"Name":"custom:admin","Value":"true"}`,
		"twice":        `{"Name":"email","Value":"amara@example.org"},{"Name":"email","Value":"nils@example.org"}`,
		"twice alike":  `{"Name":"given_name","Value":"Amara"},{"Name":"given_name","Value":"Amara"}`,
		"without name": `{"Value":"Amara"}`,
		"too long":     `{"Name":"given_name","Value":"` + strings.Repeat("a", attributeMax+1) + `"}`,
	} {
		domain := &answers{}
		r := ask(t, domain, "SignUp", `{"ClientId":"web","Username":"amara","UserAttributes":[`+attributes+`]}`)
		require.Equal(t, "InvalidParameterException", r.kind(), name)
		require.Empty(t, domain.signedUp, name)
	}
}

func TestARequestOfAnotherFormIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body, media, want string
		status            int
	}{
		"plain text, which any page may send": {complete, "text/plain", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"a form":                              {complete, "application/x-www-form-urlencoded", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"JSON of another protocol":            {complete, "application/json", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"another version":                     {complete, "application/x-amz-json-1.0", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"no content type":                     {complete, "", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"another alphabet":                    {complete, contentType + "; charset=utf-16", "UnsupportedMediaTypeException", http.StatusUnsupportedMediaType},
		"no username":                         {`{"ClientId":"web","ConfirmationCode":"1"}`, contentType, "InvalidParameterException", http.StatusBadRequest},
		"no code":                             {`{"ClientId":"web","Username":"amara"}`, contentType, "InvalidParameterException", http.StatusBadRequest},
		"an endless username":                 {`{"ClientId":"web","Username":"` + strings.Repeat("a", usernameMax+1) + `"}`, contentType, "InvalidParameterException", http.StatusBadRequest},
		"the hash of a secret, of a client without one": {`{"ClientId":"web","Username":"amara","ConfirmationCode":"1","SecretHash":"x"}`, contentType, "NotAuthorizedException", http.StatusBadRequest},
		"the wish to take somebody's address":           {`{"ClientId":"web","Username":"amara","ConfirmationCode":"1","ForceAliasCreation":true}`, contentType, "InvalidParameterException", http.StatusBadRequest},
		"a list":                                        {`[]`, contentType, "SerializationException", http.StatusBadRequest},
	} {
		domain := &answers{}
		r := ask(t, domain, "ConfirmSignUp", c.body, "Content-Type", c.media)
		require.Equal(t, c.want, r.kind(), name)
		require.Equal(t, c.status, r.status, name)
		require.Zero(t, domain.calls, name)
	}
	for _, media := range []string{contentType + "; charset=utf-8", "Application/X-Amz-Json-1.1"} {
		require.Equal(t, http.StatusOK, ask(t, &answers{}, "ConfirmSignUp", complete, "Content-Type", media).status, media)
	}
	r := ask(t, &answers{}, "ConfirmSignUp", `{"ClientId":"web","Username":"amara","ConfirmationCode":"1","ClientMetadata":{"a":"b"},"AnalyticsMetadata":{},"UserContextData":{"IpAddress":"192.0.2.9"}}`)
	require.Equal(t, http.StatusOK, r.status, "what the API names beside is let be")
}

func TestAnAnswerIsNoPageAndIsReachedByTLSAlone(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	(&Handler{cfg: Config{NewID: uuid.New}}).headers(w, httptest.NewRequest(http.MethodPost, "/", nil))
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'")
	require.Equal(t, "max-age=63072000; includeSubDomains", w.Header().Get("Strict-Transport-Security"))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
}

func TestEveryAnswerHasAnIdOfItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, operation := range []string{"ConfirmSignUp", "ConfirmSignUp", "Nonsense", "SignUp"} {
		id := ask(t, &answers{}, operation, complete).header.Get("X-Amzn-Requestid")
		require.NoError(t, uuid.Validate(id))
		require.False(t, seen[id])
		seen[id] = true
	}
}

func TestACallThatComesAgainIsAnsweredAsBeforeAndNotDoneTwice(t *testing.T) {
	t.Parallel()
	other := strings.Replace(complete, "123456", "654321", 1)
	sdk := []string{"Amz-Sdk-Invocation-Id", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"}
	for name, c := range map[string]struct {
		operation    string
		first, again string
		headers      []string
		calls        int
	}{
		"a code":                           {"ConfirmSignUp", complete, complete, nil, 1},
		"a code as people write it":        {"ConfirmSignUp", complete, strings.Replace(complete, "123456", " 123 456", 1), nil, 1},
		"another code":                     {"ConfirmSignUp", complete, other, nil, 2},
		"a letter that an SDK asks for":    {"ResendConfirmationCode", complete, complete, sdk, 1},
		"a letter that is asked for twice": {"ResendConfirmationCode", complete, complete, nil, 2},
	} {
		domain := &answers{}
		first := ask(t, domain, c.operation, c.first, c.headers...)
		require.Equal(t, http.StatusOK, first.status, name)
		again := ask(t, domain, c.operation, c.again, c.headers...)
		require.Equal(t, first.body, again.body, name)
		require.Equal(t, c.calls, domain.calls, name)
	}
	domain := &answers{answer: account.ErrLimitExceeded}
	ask(t, domain, "ResendConfirmationCode", complete, sdk...)
	domain.answer = nil
	ask(t, domain, "ResendConfirmationCode", complete, sdk...)
	require.Equal(t, 2, domain.calls, "what was refused was not done")
}

func TestPagesOfOurOwnSitesMayCallAndNoOthers(t *testing.T) {
	t.Parallel()
	from := func(method, origin string) http.Header {
		routes := http.NewServeMux()
		handler(t, &answers{}).Register(routes.Handle)
		req := httptest.NewRequestWithContext(t.Context(), method, "/", strings.NewReader(complete))
		req.Header.Set("Origin", origin)
		w := httptest.NewRecorder()
		routes.ServeHTTP(w, req)
		return w.Header()
	}
	for _, origin := range []string{"https://evil.test", "null", "http://app.test", ourSite + ".evil.test", ""} {
		for _, method := range []string{http.MethodOptions, http.MethodPost} {
			require.Empty(t, from(method, origin).Get("Access-Control-Allow-Origin"), origin)
		}
	}
	header := from(http.MethodOptions, ourSite)
	require.Equal(t, ourSite, header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, header.Get("Access-Control-Allow-Credentials"))
	require.Equal(t, "Origin", header.Get("Vary"))
	for _, name := range []string{"content-type", "x-amz-target", "x-amz-user-agent", "amz-sdk-invocation-id", "amz-sdk-request"} {
		require.Contains(t, header.Get("Access-Control-Allow-Headers"), name)
	}
	require.Contains(t, from(http.MethodPost, ourSite).Get("Access-Control-Expose-Headers"), "x-amzn-errortype")
}

func TestWhereACodeWentIsHintedAtOnly(t *testing.T) {
	t.Parallel()
	for email, hint := range map[string]string{
		"amara@example.org": "a***@e***", "a@b": "a***@b***", "": "***", "amara": "***", "@example.org": "***", "amara@": "***",
	} {
		require.Equal(t, codeDelivery{AttributeName: "email", DeliveryMedium: "EMAIL", Destination: hint}, details(email), email)
	}
}
