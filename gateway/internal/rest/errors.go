package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"serein.app/gateway/internal/login"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
)

var (
	errNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_NOT_FOUND, "There is nothing here.")
	errMethod   = errs.New(errs.Invalid, errorsv1.Reason_REASON_METHOD_NOT_ALLOWED, "This address is called in another way.")
	errMedia    = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUPPORTED_MEDIA_TYPE, "A body is JSON, and says so in Content-Type.")
	errEncoding = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUPPORTED_MEDIA_TYPE, "A body is sent as it is, without a Content-Encoding.")
	errBody     = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "The body is not one JSON object with the fields of this call.")
	errAccount  = errs.New(errs.Forbidden, errorsv1.Reason_REASON_FORBIDDEN, "This call is for members alone.")
	errNotBuilt = errs.New(errs.Invalid, errorsv1.Reason_REASON_NOT_BUILT, "This call does not exist yet.")
	errUser     = errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "There is no such member.")
	errItem     = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is nothing here by that name.")
)

// failure is the body of every error.
type failure struct {
	Error     string `json:"error"`
	Reason    string `json:"reason"`
	RequestID string `json:"requestId"`
	// Field is at fault; left out where none is.
	Field string `json:"field,omitempty"`
}

// byReason are the statuses that say more than the error's kind.
var byReason = map[errorsv1.Reason]int{
	errMethod.Reason: http.StatusMethodNotAllowed, errMedia.Reason: http.StatusUnsupportedMediaType,
	errNotBuilt.Reason:       http.StatusNotImplemented,
	guard.ErrTooLarge.Reason: http.StatusRequestEntityTooLarge, guard.ErrSlowBody.Reason: http.StatusRequestTimeout,
}

// byKind has every kind; a test fails when one is missing.
var byKind = map[errs.Kind]int{
	errs.Internal: http.StatusInternalServerError, errs.Invalid: http.StatusBadRequest,
	errs.Unauthenticated: http.StatusUnauthorized, errs.Forbidden: http.StatusForbidden,
	errs.NotFound: http.StatusNotFound, errs.Conflict: http.StatusConflict,
	errs.FailedPrecondition: http.StatusConflict, errs.Exhausted: http.StatusTooManyRequests,
	errs.Unavailable: http.StatusServiceUnavailable, errs.DeadlineExceeded: http.StatusGatewayTimeout,
	errs.Canceled: 499, // the caller has closed the connection; nginx's status, since HTTP defines no such status
}

func statusOf(e *errs.Error) int {
	if status, ok := byReason[e.Reason]; ok {
		return status
	}
	return byKind[e.Kind]
}

// Refuse answers with an error in this package's form.
func (a *API) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := declared(err)
	status := statusOf(e)
	if status >= http.StatusInternalServerError && status != http.StatusNotImplemented {
		a.log.ErrorContext(r.Context(), "REST call failed", "request_id", requestID(r.Context()), "error", err)
	}
	h := w.Header()
	if after := guard.RetryAfter(err); after != "" {
		h.Set("Retry-After", after)
	}
	c, _ := find(r.Method, r.URL.Path)
	if c != nil {
		login.Challenge(h, r.Header, e, c.scope)
	}
	write(w, status, failure{c.sentence(status, e.Public), e.Word(), requestID(r.Context()), e.Field})
}

// write answers with a failure. It cannot be written only where the caller has gone.
func write(w http.ResponseWriter, status int, f failure) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(f)
}

// sentence is what callers read. Where the specification has words that the failures of a call begin with, what stands and why come
// behind them.
func (c *call) sentence(status int, why string) string {
	switch {
	case c == nil || c.failed == "":
		return why
	case status >= http.StatusInternalServerError:
		return c.failed + ". " + c.unheard
	case c.refused == "":
		return c.failed + ". " + why
	}
	return c.failed + ". " + c.refused + " " + why
}

// TooMany answers a call that came too early from its address.
func (a *API) TooMany(w http.ResponseWriter, r *http.Request, after time.Duration) {
	a.Refuse(w, identified(w, r), guard.TooSoon(after))
}

// HeaderTooLarge answers a call whose header is too large.
func (a *API) HeaderTooLarge(w http.ResponseWriter, r *http.Request) {
	r = identified(w, r)
	write(w, http.StatusRequestHeaderFieldsTooLarge, failure{guard.ErrTooLarge.Public, guard.ErrTooLarge.Word(), requestID(r.Context()), ""})
}

// declared is rpc.Declared, with what grpc-gateway says of a request that it cannot read.
func declared(err error) *errs.Error {
	if e := (*errs.Error)(nil); !errors.As(err, &e) {
		switch status.Code(err) { //nolint:exhaustive // the rest is our own fault, or a context's end
		case codes.InvalidArgument:
			return rpc.ErrInvalid.Because(err)
		case codes.Unimplemented:
			return errNotBuilt.Because(err)
		}
	}
	return rpc.Declared(err)
}

// public turns a service's failure into what a caller may see: refusals that are the services' own
// business between themselves become "something went wrong".
func public(err error) error {
	var e *errs.Error
	if errors.As(err, &e) && (e.Kind == errs.Unauthenticated || errors.Is(e, auth.ErrForbidden)) {
		return errs.ErrInternal.Because(err)
	}
	return err
}

// valid checks a request against the contract, and names a faulty field as callers write it.
func valid(req proto.Message) error {
	err := rpc.Validate(req)
	var e *errs.Error
	if !errors.As(err, &e) {
		return err
	}
	if field := req.ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(e.Field)); field != nil {
		return e.On(field.JSONName())
	}
	return err
}
