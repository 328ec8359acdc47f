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
	"serein.app/services/testkit"
)

// answers is a domain that answers what the test says: the API must name every refusal, also those
// that this product's own rules never give.
type answers struct {
	admit, answer error
	signedUp      []account.SignUp
	calls         int
}

func (a *answers) AdmitAPI(context.Context, string) error                { return a.admit }
func (a *answers) Confirm(context.Context, string, string, string) error { a.calls++; return a.answer }

func (a *answers) Resend(context.Context, string, string) error { a.calls++; return a.answer }

func (a *answers) SignUp(_ context.Context, in account.SignUp) (uuid.UUID, error) {
	a.signedUp = append(a.signedUp, in)
	return uuid.Nil, a.answer
}

type reply struct {
	status int
	header http.Header
	body   map[string]any
}

func call(t *testing.T, domain *answers, operation, body string) reply {
	t.Helper()
	h := New(domain, "web", func(*http.Request) string { return "192.0.2.1" }, testkit.Logger(t))
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	req.Header.Set("X-Amz-Target", targetPrefix+operation)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	r := reply{status: w.Code, header: w.Header(), body: map[string]any{}}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &r.body))
	return r
}

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
		for _, operation := range []string{"SignUp", "ConfirmSignUp", "ResendConfirmationCode"} {
			r := call(t, &answers{answer: err}, operation, `{"ClientId":"web"}`)
			require.Equal(t, http.StatusBadRequest, r.status, name)
			require.Equal(t, name, r.body["__type"])
			require.Equal(t, name, r.header.Get("X-Amzn-Errortype"))
			require.NotEmpty(t, r.body["message"])
		}
	}
}

func TestAFailureOfOursIsNotTold(t *testing.T) {
	t.Parallel()
	r := call(t, &answers{answer: errors.New("password authentication failed for identity@10.0.0.5")}, "ConfirmSignUp", `{"ClientId":"web"}`)
	require.Equal(t, http.StatusInternalServerError, r.status)
	require.Equal(t, "InternalErrorException", r.body["__type"])
	require.NotContains(t, r.body["message"], "10.0.0.5")
}

func TestACallerIsAdmittedBeforeAnythingIsDone(t *testing.T) {
	t.Parallel()
	domain := &answers{admit: account.ErrTooManyRequests}
	for _, operation := range []string{"SignUp", "ConfirmSignUp", "ResendConfirmationCode", "Nonsense"} {
		require.Equal(t, "TooManyRequestsException", call(t, domain, operation, `{"ClientId":"web"}`).body["__type"])
	}
	require.Equal(t, "ResourceNotFoundException", call(t, domain, "SignUp", `{"ClientId":"another"}`).body["__type"])
	require.Zero(t, domain.calls)
	require.Empty(t, domain.signedUp)
}

func TestAttributesBecomeTheFormsFields(t *testing.T) {
	t.Parallel()
	domain := &answers{}
	r := call(t, domain, "SignUp", `{"ClientId":"web","Username":"amara","Password":"three unrelated pebbles","UserAttributes":[
		{"Name":"email","Value":"amara@example.org"},{"Name":"given_name","Value":"Amara"},{"Name":"family_name","Value":"Lindqvist"},
		{"Name":"preferred_username","Value":"ignored"},{"Name":"custom:age_confirmed","Value":"true"},{"Name":"custom:terms_version","Value":"terms 2026-10-01, privacy 2026-11-01"}]}`)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "no-store", r.header.Get("Cache-Control"))
	require.Equal(t, contentType, r.header.Get("Content-Type"))
	require.Equal(t, []account.SignUp{{
		Username: "amara", Email: "amara@example.org", GivenName: "Amara", FamilyName: "Lindqvist",
		Password: "three unrelated pebbles", AgeConfirmed: true, TermsVersion: "terms 2026-10-01, privacy 2026-11-01", Address: "192.0.2.1",
	}}, domain.signedUp)

	call(t, domain, "SignUp", `{"ClientId":"web","UserAttributes":[{"Name":"custom:age_confirmed","Value":"yes"}]}`)
	require.False(t, domain.signedUp[1].AgeConfirmed, "only true is true")
	r = call(t, domain, "SignUp", `{"ClientId":"web","UserAttributes":[{"Name":"custom:admin","Value":"true"}]}`)
	require.Equal(t, "InvalidParameterException", r.body["__type"])
	require.Len(t, domain.signedUp, 2, "an attribute that is not kept signs nobody up")
}

func TestWhereACodeWentIsHintedAtOnly(t *testing.T) {
	t.Parallel()
	for email, hint := range map[string]string{
		"amara@example.org": "a***@e***", "a@b": "a***@b***", "": "***", "amara": "***", "@example.org": "***", "amara@": "***",
	} {
		require.Equal(t, codeDelivery{AttributeName: "email", DeliveryMedium: "EMAIL", Destination: hint}, details(email), email)
	}
}
