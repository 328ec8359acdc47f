package rpc

import (
	"context"
	"errors"
	"log/slog"
	"syscall"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// Domain stands in every ErrorInfo: reasons are Serein's.
const Domain = "serein.app"

// Errors that only this package makes.
var (
	errDeadline = errs.New(errs.DeadlineExceeded, errorsv1.Reason_REASON_DEADLINE_EXCEEDED, "That took too long. Please try again.")
	errCanceled = errs.New(errs.Canceled, errorsv1.Reason_REASON_CANCELED, "The call was cancelled.")
)

// codes maps every kind; a test fails when one is missing.
var codes = map[errs.Kind]connect.Code{
	errs.Internal:           connect.CodeInternal,
	errs.Invalid:            connect.CodeInvalidArgument,
	errs.Unauthenticated:    connect.CodeUnauthenticated,
	errs.Forbidden:          connect.CodePermissionDenied,
	errs.NotFound:           connect.CodeNotFound,
	errs.Conflict:           connect.CodeAlreadyExists,
	errs.FailedPrecondition: connect.CodeFailedPrecondition,
	errs.Exhausted:          connect.CodeResourceExhausted,
	errs.Unavailable:        connect.CodeUnavailable,
	errs.DeadlineExceeded:   connect.CodeDeadlineExceeded,
	errs.Canceled:           connect.CodeCanceled,
}

// ToConnect turns an error into what the caller may see: code, public sentence, reason and
// field. The cause is dropped here; the interceptor has logged it.
func ToConnect(err error) *connect.Error {
	e := Declared(err)
	out := connect.NewError(codes[e.Kind], errors.New(e.Public))
	info := &errdetails.ErrorInfo{Reason: e.Word(), Domain: Domain}
	if e.Field != "" {
		info.Metadata = map[string]string{"field": e.Field}
	}
	addDetail(out, info)
	if e.RetryAfter > 0 {
		addDetail(out, &errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)})
	}
	return out
}

func addDetail(to *connect.Error, message proto.Message) {
	if detail, err := connect.NewErrorDetail(message); err == nil {
		to.AddDetail(detail)
	}
}

// Declared is errs.From, with the context's own errors given their kinds.
func Declared(err error) *errs.Error {
	var e *errs.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return errDeadline.Because(err)
	case errors.Is(err, context.Canceled):
		return errCanceled.Because(err)
	}
	return errs.From(err)
}

// FromConnect rebuilds the declared error from an answer.
func FromConnect(err error) error {
	if err == nil {
		return nil
	}
	var ce *connect.Error
	if !errors.As(err, &ce) {
		return Declared(err)
	}
	if cut(err) {
		return errs.ErrUnavailable.Because(err)
	}
	e := errs.New(kindOf(ce.Code()), reasonOf(ce.Code()), ce.Message())
	ours := false
	for _, detail := range ce.Details() {
		value, derr := detail.Value()
		if derr != nil {
			continue
		}
		switch value := value.(type) {
		case *errdetails.RetryInfo:
			e.RetryAfter = value.GetRetryDelay().AsDuration()
		case *errdetails.ErrorInfo:
			ours = ours || value.GetDomain() == Domain
			explain(e, value)
		}
	}
	if !ours || !connect.IsWireError(err) { // a library's sentence is for programmers
		e.Public = publicOf(e.Kind)
	}
	return e.Because(err)
}

// cut says that the other side has closed the connection while the request was written, which connect calls
// canceled though nobody has canceled anything.
func cut(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// explain takes over what one of Serein's own says.
func explain(e *errs.Error, info *errdetails.ErrorInfo) {
	if info.GetDomain() != Domain {
		return
	}
	e.Field = info.GetMetadata()["field"]
	// A peer that is newer may have a reason that is not known here; then the code's stays.
	if reason := errs.ReasonOf(info.GetReason()); reason != errorsv1.Reason_REASON_UNSPECIFIED {
		e.Reason = reason
	}
}

func kindOf(code connect.Code) errs.Kind {
	for kind, c := range codes {
		if c == code {
			return kind
		}
	}
	return errs.Internal
}

// reasonOf names failures that carry no reason of ours, for example a refused connection.
func reasonOf(code connect.Code) errorsv1.Reason {
	switch kindOf(code) { //nolint:exhaustive // the rest has no transport reason
	case errs.Invalid:
		return ErrInvalid.Reason
	case errs.Unavailable:
		return errs.ErrUnavailable.Reason
	case errs.DeadlineExceeded:
		return errDeadline.Reason
	case errs.Canceled:
		return errCanceled.Reason
	case errs.Exhausted:
		return errTooLarge.Reason
	case errs.Internal:
		return errs.ErrInternal.Reason
	}
	return errorsv1.Reason_REASON_REFUSED
}

func publicOf(kind errs.Kind) string {
	switch kind { //nolint:exhaustive // the rest is ours to explain
	case errs.Invalid:
		return ErrInvalid.Public
	case errs.Exhausted:
		return errTooLarge.Public
	case errs.Unavailable:
		return errs.ErrUnavailable.Public
	case errs.DeadlineExceeded:
		return errDeadline.Public
	}
	return errs.ErrInternal.Public
}

// logFailure writes failures that somebody must look at: our own faults with their cause.
func logFailure(ctx context.Context, log *slog.Logger, procedure string, err error) {
	e := Declared(err)
	switch e.Kind {
	case errs.Internal:
		log.ErrorContext(ctx, "call failed", "procedure", procedure, "reason", e.Word(), "error", err)
	case errs.Unavailable, errs.DeadlineExceeded:
		log.WarnContext(ctx, "call failed", "procedure", procedure, "reason", e.Word(), "error", err)
	default:
		log.DebugContext(ctx, "call refused", "procedure", procedure, "reason", e.Word(), "error", err)
	}
}
