package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"connectrpc.com/connect"

	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/upstream"
	"serein.app/gateway/internal/view"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/contentage"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/seclog"
)

// errNoRule is the answer to a procedure that the table does not name.
var errNoRule = errs.New(errs.NotFound, errorsv1.Reason_REASON_NOT_FOUND, "There is nothing here.")

// interceptor is what every RPC passes: who calls, how often, is the request well formed; and on
// the way out, what may be said about a failure.
type interceptor struct {
	screens *Screens
	rules   map[string]rule
}

type memberKey struct{}

// memberOf is the signed-in member of a call; nil for visitors.
func memberOf(ctx context.Context) *session.Member {
	m, _ := ctx.Value(memberKey{}).(*session.Member)
	return m
}

func withMember(ctx context.Context, m *session.Member) context.Context {
	if m == nil {
		return ctx
	}
	return context.WithValue(auth.WithMember(ctx, m.UID), memberKey{}, m)
}

type headerKey struct{}

// headerOf are the request's headers.
func headerOf(ctx context.Context) http.Header {
	header, _ := ctx.Value(headerKey{}).(http.Header)
	return header
}

// sessionID is the id in the call's cookie.
func sessionID(ctx context.Context) string { return session.IDFrom(headerOf(ctx)) }

func (i *interceptor) admit(ctx context.Context, procedure string, header http.Header) (context.Context, error) {
	r, ok := i.rules[procedure]
	if !ok {
		return ctx, errNoRule.Because(fmt.Errorf("%s has no rule", procedure))
	}
	ctx = context.WithValue(ctx, headerKey{}, header)
	m, err := i.caller(ctx, r.role, header)
	if err != nil {
		i.screens.Security.Refused(ctx, err, seclog.Event{Address: guard.Address(ctx), Procedure: procedure})
		return ctx, err
	}
	ctx = withMember(ctx, m)
	if err := i.screens.allow(ctx, r, m); err != nil {
		i.refused(ctx, procedure, err)
		return ctx, err
	}
	if m == nil {
		return ctx, nil
	}
	allowed, err := i.screens.Roles.As(ctx, m.UID, r.role, r.entitlement)
	if err != nil {
		i.refused(ctx, procedure, err)
	}
	if err == nil && r.forwardSubject {
		allowed = i.screens.Roles.Named(allowed, m.UID)
	}
	return allowed, err
}

// refused writes down a call that was not let in, and of which member, where one is known.
func (i *interceptor) refused(ctx context.Context, procedure string, err error) {
	event := seclog.Event{Address: guard.Address(ctx), Procedure: procedure}
	if m := memberOf(ctx); m != nil {
		event.UID = m.UID
	}
	i.screens.Security.Refused(ctx, err, event)
}

// caller is the signed-in member; nil for visitors, where the role lets them in.
func (i *interceptor) caller(ctx context.Context, role roles.Role, header http.Header) (*session.Member, error) {
	id := session.IDFrom(header)
	if role == roles.Public || (role == roles.Visitors && id == "") {
		return nil, nil
	}
	signedIn, err := i.screens.Sessions.Check(ctx, id)
	if role == roles.Visitors && errors.Is(err, session.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &signedIn.Member, nil
}

// WrapUnary guards unary calls.
func (i *interceptor) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		procedure := req.Spec().Procedure
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		ctx, err := i.admit(ctx, procedure, req.Header())
		if err == nil {
			if err = rpc.Validate(req.Any()); err != nil {
				i.refused(ctx, procedure, err)
			}
		}
		if err != nil {
			return nil, i.fail(ctx, procedure, err)
		}
		ctx, heard := upstream.WithAge(ctx)
		res, err := next(ctx, req)
		if err != nil {
			i.screens.refusedFree(ctx, i.rules[procedure], err)
			failure := i.fail(ctx, procedure, err)
			i.acted(ctx, procedure, failure.Meta()) // it may have been done all the same
			return nil, failure
		}
		contentage.Source(heard.Get).Tell(res.Header())
		i.acted(ctx, procedure, res.Header())
		return res, nil
	}
}

// acted lets a member who has changed something read it back at once, here and on every replica.
func (i *interceptor) acted(ctx context.Context, procedure string, answer http.Header) {
	if !i.rules[procedure].mutates {
		return
	}
	i.screens.View.Acted(memberOf(ctx).UID)
	view.SetActed(answer)
}

// WrapStreamingHandler guards streams; they may last, so they have no deadline.
func (i *interceptor) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		procedure := conn.Spec().Procedure
		ctx, err := i.admit(ctx, procedure, conn.RequestHeader())
		if err == nil {
			err = next(ctx, rpc.Validating(conn))
			if errors.Is(err, rpc.ErrInvalid) {
				i.refused(ctx, procedure, err)
			}
		}
		if err != nil {
			return i.fail(ctx, procedure, err)
		}
		return nil
	}
}

// WrapStreamingClient is not used on servers.
func (i *interceptor) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// fail turns a failure into what a browser may see. Everything that is the services' own
// business between themselves becomes "something went wrong", and is logged.
func (i *interceptor) fail(ctx context.Context, procedure string, err error) *connect.Error {
	public := explain(err)
	// That sessions cannot be checked is logged where it is found, once, and not with every call.
	if kind := errs.KindOf(public); kind == errs.Internal || (kind == errs.Unavailable && !errors.Is(public, session.ErrUnsure)) {
		i.screens.log.ErrorContext(ctx, "call failed", "procedure", procedure, "error", err)
	}
	out := rpc.ToConnect(public)
	if after := guard.RetryAfter(err); after != "" {
		out.Meta().Set("Retry-After", after)
	}
	return out
}

func explain(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err // package rpc has words for these
		}
		var transport *connect.Error
		if errors.As(err, &transport) {
			return rpc.FromConnect(err) // connect-go's own, such as a body it cannot read
		}
		return errs.ErrInternal.Because(err)
	}
	switch {
	case e.Kind == errs.Internal,
		e.Kind == errs.Unauthenticated && !errors.Is(e, session.ErrNone),
		errors.Is(e, auth.ErrForbidden):
		return errs.ErrInternal.Because(err)
	}
	return e
}
