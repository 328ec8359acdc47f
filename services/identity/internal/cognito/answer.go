package cognito

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// Errors that only this API knows.
var (
	errTarget   = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_OPERATION, "There is no such operation.")
	errMedia    = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUPPORTED_MEDIA_TYPE, "The content type is "+contentType+".")
	errBody     = errs.New(errs.Invalid, errorsv1.Reason_REASON_SERIALIZATION, "The request is not the JSON of this operation.")
	errClient   = errs.New(errs.NotFound, errorsv1.Reason_REASON_RESOURCE_NOT_FOUND, "There is no such client.")
	errNoSecret = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "This client has no secret, so there is no secret hash.")
)

// kinds names each reason as the API does: the twelve kinds of the specification, and those of the protocol.
var kinds = map[errorsv1.Reason]string{
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
	account.ErrLeaving.Reason:          "NotAuthorizedException", // only where it is undone does such an account sign in
	account.ErrPasswordReset.Reason:    "PasswordResetRequiredException",
	errTarget.Reason:                   "UnknownOperationException",
	errMedia.Reason:                    "UnsupportedMediaTypeException",
	errBody.Reason:                     "SerializationException",
	errClient.Reason:                   "ResourceNotFoundException",
}

// statusOf a refusal: the API has 400 for all but what HTTP itself has a word for.
func statusOf(err error) int {
	if errors.Is(err, errMedia) {
		return http.StatusUnsupportedMediaType
	}
	return http.StatusBadRequest
}

// headers writes the headers of every answer. Each answer has an id, which the log names when the call failed.
func (h *Handler) headers(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	guard.NoPage(w.Header())
	w.Header().Set("X-Amzn-Requestid", h.cfg.NewID().String())
	h.allowOrigin(w, r)
}

// plain are the signs of ASCII, which a header is made of, for the apostrophes and quotation marks of sentences.
var plain = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`)

// refuse answers with the kind in a header and in the body (awsJson1.1, Operation error serialization).
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	e := errs.From(err)
	name, ok := kinds[e.Reason]
	if !ok {
		h.cfg.Log.ErrorContext(r.Context(), "sign-up API failed", "request_id", w.Header().Get("X-Amzn-Requestid"), "error", err)
		name, status, e = "InternalErrorException", http.StatusInternalServerError, errs.ErrInternal
	}
	if after := guard.RetryAfter(err); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.Header().Set("X-Amzn-Errortype", name)
	if message := plain.Replace(e.Public); !strings.ContainsFunc(message, func(c rune) bool { return c < ' ' || c > '~' }) {
		w.Header().Set("X-Amzn-Errormessage", message)
	}
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
