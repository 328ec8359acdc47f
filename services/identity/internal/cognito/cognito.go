// Package cognito answers the sign-up API of AWS Cognito, so that its public SDKs work against
// this service: POST to the root, the operation in X-Amz-Target, JSON in and out. It adds no
// rule of its own: the domain decides.
//
// The API has no field for age. Serein's rule is that signing up confirms it, and that forms
// say so; a caller that sends the attribute custom:age_confirmed with anything but "true" is
// refused. custom:terms_version names the texts that were shown; without it
// account.VersionUnknown is recorded, and the site asks such a member again.
package cognito

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

const (
	targetPrefix = "AWSCognitoIdentityProviderService."
	contentType  = "application/x-amz-json-1.1"
	// maxBody bounds a request, in bytes: a sign-up form is far smaller.
	maxBody = 64 << 10
)

// Accounts is the domain.
type Accounts interface {
	AdmitAPI(ctx context.Context, address string) error
	Confirm(ctx context.Context, address, username, code string) error
	Resend(ctx context.Context, address, username string) error
	Registrar
}

// Handler answers the API.
type Handler struct {
	accounts Accounts
	clientID string
	address  func(*http.Request) string
	log      *slog.Logger
}

// New answers clients that name clientID. address gives a caller's network address.
func New(accounts Accounts, clientID string, address func(*http.Request) string, log *slog.Logger) *Handler {
	return &Handler{accounts: accounts, clientID: clientID, address: address, log: log}
}

// request holds the fields of all operations that are answered.
type request struct {
	ClientID         string `json:"ClientId"`
	Username         string
	Password         string
	UserAttributes   []attribute
	ConfirmationCode string
}

type attribute struct{ Name, Value string }

// Errors that only this API knows.
var (
	errTarget = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_OPERATION, "There is no such operation.")
	errBody   = errs.New(errs.Invalid, errorsv1.Reason_REASON_SERIALIZATION, "The request is not the JSON of this operation.")
	errClient = errs.New(errs.NotFound, errorsv1.Reason_REASON_RESOURCE_NOT_FOUND, "There is no such client.")
)

// ServeHTTP runs one operation.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, err := h.run(w, r)
	headers(w)
	if err != nil {
		h.refuse(w, r, http.StatusBadRequest, err)
		return
	}
	h.write(w, http.StatusOK, answer)
}

// TooMany answers a call that came too early at the door.
func (h *Handler) TooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	headers(w)
	h.refuse(w, r, http.StatusTooManyRequests, guard.TooSoon(after))
}

func headers(w http.ResponseWriter) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
}

func (h *Handler) run(w http.ResponseWriter, r *http.Request) (any, error) {
	operation, ok := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	if !ok {
		return nil, errTarget
	}
	var in request
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	if err := decoder.Decode(&in); err != nil {
		return nil, errBody.Because(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errBody
	}
	if subtle.ConstantTimeCompare([]byte(in.ClientID), []byte(h.clientID)) != 1 {
		return nil, errClient
	}
	address := h.address(r)
	if err := h.accounts.AdmitAPI(r.Context(), address); err != nil {
		return nil, err
	}
	switch operation {
	case "SignUp":
		return h.signUp(r.Context(), in, address)
	case "ConfirmSignUp":
		return struct{}{}, h.accounts.Confirm(r.Context(), address, in.Username, in.ConfirmationCode)
	case "ResendConfirmationCode":
		return delivery{CodeDeliveryDetails: details("")}, h.accounts.Resend(r.Context(), address, in.Username)
	}
	return nil, errTarget
}

// types names each reason as the API does.
var types = map[errorsv1.Reason]string{
	account.ErrUsernameExists.Reason:   "UsernameExistsException",
	account.ErrAliasExists.Reason:      "AliasExistsException",
	account.ErrInvalidPassword.Reason:  "InvalidPasswordException",
	account.ErrInvalidParameter.Reason: "InvalidParameterException",
	account.ErrCodeMismatch.Reason:     "CodeMismatchException",
	account.ErrExpiredCode.Reason:      "ExpiredCodeException",
	account.ErrNotAuthorized.Reason:    "NotAuthorizedException",
	account.ErrUserNotFound.Reason:     "UserNotFoundException",
	account.ErrTooManyRequests.Reason:  "TooManyRequestsException",
	account.ErrLimitExceeded.Reason:    "LimitExceededException",
	account.ErrNotConfirmed.Reason:     "UserNotConfirmedException",
	account.ErrPasswordReset.Reason:    "PasswordResetRequiredException",
	errTarget.Reason:                   "UnknownOperationException",
	errBody.Reason:                     "SerializationException",
	errClient.Reason:                   "ResourceNotFoundException",
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	e := errs.From(err)
	name, ok := types[e.Reason]
	if !ok {
		h.log.ErrorContext(r.Context(), "sign-up API failed", "error", err)
		name, status, e = "InternalErrorException", http.StatusInternalServerError, errs.ErrInternal
	}
	if after := guard.RetryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.Header().Set("X-Amzn-Errortype", name)
	h.write(w, status, map[string]string{"__type": name, "message": e.Public})
}

func (h *Handler) write(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		status, raw = http.StatusInternalServerError, []byte(`{"__type":"InternalErrorException"}`)
	}
	w.WriteHeader(status)
	_, _ = w.Write(raw)
}
