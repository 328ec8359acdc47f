package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"serein.app/services/platform/errs"
)

// Validate checks a request against the rules of its contract. Errors: ErrInvalid, with the field.
func Validate(msg any) error {
	m, ok := msg.(proto.Message)
	if !ok {
		return nil
	}
	err := protovalidate.Validate(m)
	var broken *protovalidate.ValidationError
	if errors.As(err, &broken) && len(broken.Violations) > 0 {
		return ErrInvalid.On(protovalidate.FieldPathString(broken.Violations[0].Proto.GetField())).Because(err)
	}
	return err
}

// Validating is conn with every message that is received validated.
func Validating(conn connect.StreamingHandlerConn) connect.StreamingHandlerConn {
	return &validatingConn{conn}
}

type validatingConn struct{ connect.StreamingHandlerConn }

func (c *validatingConn) Receive(msg any) error {
	if err := c.StreamingHandlerConn.Receive(msg); err != nil {
		return unread(err)
	}
	return Validate(msg)
}

// unread is what it means that a message could not be read: bytes that are none are their sender's fault.
func unread(err error) error {
	switch connect.CodeOf(err) { //nolint:exhaustive // the others say truly whose fault it is
	case connect.CodeInvalidArgument, connect.CodeInternal, connect.CodeUnimplemented:
		return ErrInvalid.Because(err)
	}
	return err
}

// Recover makes an internal error of a handler's panic, for connect.WithRecover; the log has the
// stack.
func Recover(log *slog.Logger) func(context.Context, connect.Spec, http.Header, any) error {
	return func(ctx context.Context, spec connect.Spec, _ http.Header, p any) error {
		log.ErrorContext(ctx, "handler panicked", "procedure", spec.Procedure, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		return ToConnect(errs.ErrInternal)
	}
}
