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
	event := seclog.Event{Kind: kind, Login: loginKey(login), Address: address}
	if uid != uuid.Nil {
		event.UID = uid.String()
	}
	switch {
	case err == nil:
		event.Outcome = seclog.Success
	case errors.Is(err, ErrNotConfirmed):
		event.Outcome = seclog.Unconfirmed
	case errs.KindOf(err) == errs.Exhausted:
		event.Outcome = seclog.Locked
	case errs.KindOf(err) == errs.Internal, errs.KindOf(err) == errs.Unavailable, errs.KindOf(err) == errs.Canceled, errs.KindOf(err) == errs.DeadlineExceeded:
		return
	default:
		event.Outcome = seclog.Failure
	}
	s.security.Record(ctx, event)
}
