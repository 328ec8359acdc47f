package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"serein.app/gateway/internal/page"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// existsTime bounds the question whether a page's id names something: a page does not wait longer.
const existsTime = 300 * time.Millisecond

// MayOpen says whether the caller may open a page.
func (s *Screens) MayOpen(ctx context.Context, header http.Header, access page.Access, entitlement string) page.Admission {
	signedIn, err := s.Sessions.Check(ctx, session.IDFrom(header))
	if err != nil {
		return admission(err, session.ErrNone)
	}
	uid := signedIn.Member.UID
	switch access {
	case page.Everyone, page.Member:
		return page.Admitted
	case page.Subscriber:
		_, err := s.Roles.As(ctx, uid, roles.SubscribersAndAdmins, entitlement)
		return admission(err, auth.ErrNotEntitled)
	case page.Admin:
		return admission(s.Roles.Admin(ctx, uid), auth.ErrAdminRequired)
	}
	return page.Refused
}

// admission is what came of a question that is refused with refusal.
func admission(err, refusal error) page.Admission {
	switch {
	case err == nil:
		return page.Admitted
	case errors.Is(err, refusal):
		return page.Refused
	default:
		return page.Unknown
	}
}

// Exists says whether a meditation's page has one of the member's. Visitors are not asked about:
// for them every id might be somebody's.
func (s *Screens) Exists(ctx context.Context, header http.Header, id string) bool {
	signedIn, err := s.Sessions.Check(ctx, session.IDFrom(header))
	if err != nil {
		return true
	}
	ctx, cancel := context.WithTimeout(withMember(ctx, &signedIn.Member), existsTime)
	defer cancel()
	_, err = s.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
	return errs.KindOf(err) != errs.NotFound
}
