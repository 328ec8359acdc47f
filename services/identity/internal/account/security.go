package account

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
)

// record writes down how an attempt at something ended. A failure of ours is no event.
func (s *Service) record(ctx context.Context, kind seclog.Kind, uid uuid.UUID, login, address string, err error) {
	s.recordAs(ctx, kind, uid, login, address, seclog.Success, err)
}

// recordAs is record for what ends well with another word.
func (s *Service) recordAs(ctx context.Context, kind seclog.Kind, uid uuid.UUID, login, address string, well seclog.Outcome, err error) {
	outcome, is := Outcome(err, well)
	if !is {
		return
	}
	event := seclog.Event{Kind: kind, Outcome: outcome, Login: loginKey(login), Address: address}
	if uid != uuid.Nil {
		event.UID = uid.String()
	}
	s.security.Record(ctx, event)
}

// Outcome is how what ended so is written down, well for the good end; not is: a fault of ours, or a caller who has gone, is no event.
func Outcome(err error, well seclog.Outcome) (outcome seclog.Outcome, is bool) {
	switch {
	case err == nil:
		return well, true
	case errors.Is(err, ErrNotConfirmed):
		return seclog.Unconfirmed, true
	case errors.Is(err, ErrPasswordReset):
		return seclog.ResetRequired, true
	case errors.Is(err, ErrLeaving):
		return seclog.Leaving, true
	case errs.KindOf(err) == errs.Exhausted:
		return seclog.Locked, true
	case errs.KindOf(err) == errs.Internal, errs.KindOf(err) == errs.Unavailable, errs.KindOf(err) == errs.Canceled, errs.KindOf(err) == errs.DeadlineExceeded:
		return "", false
	}
	return seclog.Failure, true
}
