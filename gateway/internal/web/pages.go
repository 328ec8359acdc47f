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

// MayOpen says whether the caller may open a page. Where that cannot be found out now
// the answer is yes: the page itself holds nothing, and its calls are guarded.
func (s *Screens) MayOpen(ctx context.Context, header http.Header, access page.Access, entitlement string) bool {
	signedIn, err := s.Sessions.Check(ctx, session.IDFrom(header))
	if err != nil {
		return !errors.Is(err, session.ErrNone)
	}
	uid := signedIn.Member.UID
	switch access {
	case page.Everyone, page.Member:
		return true
	case page.Subscriber:
		_, err := s.Roles.As(ctx, uid, roles.SubscribersAndAdmins, entitlement)
		return !errors.Is(err, auth.ErrNotEntitled)
	case page.Admin:
		return !errors.Is(s.Roles.Admin(ctx, uid), auth.ErrAdminRequired)
	}
	return false
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
