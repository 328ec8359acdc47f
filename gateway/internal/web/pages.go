package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"serein.app/gateway/internal/page"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	uids "serein.app/gateway/internal/uid"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// existsTime bounds the question whether a page's id names something: a page does not wait longer.
var existsTime = deadline.Of(300 * time.Millisecond)

// caller is who asks for a page, found out once for everything that the page shows.
type caller struct {
	*Screens
	header http.Header
	// member is nil for visitors, and where the session cannot be checked now: unchecked says why. The page then says of nobody
	// who they are, and the app asks before it shows anything else.
	member    *session.Member
	unchecked error
}

// Caller finds out who asks for a page.
func (s *Screens) Caller(ctx context.Context, header http.Header) page.Caller {
	c := &caller{Screens: s, header: header}
	signedIn, err := s.Sessions.Check(ctx, session.IDFrom(header))
	if err != nil {
		c.unchecked = err
		return c
	}
	c.member = &signedIn.Member
	return c
}

// in makes the context of what is asked in the caller's name.
func (c *caller) in(ctx context.Context) context.Context {
	return withMember(context.WithValue(ctx, headerKey{}, c.header), c.member)
}

// MayOpen says whether the caller may open a page.
func (c *caller) MayOpen(ctx context.Context, access page.Access, entitlement string) page.Admission {
	if c.member == nil {
		return admission(c.unchecked, session.ErrNone)
	}
	switch access {
	case page.Everyone, page.Member:
		return page.Admitted
	case page.Subscriber:
		_, err := c.Roles.As(ctx, c.member.UID, roles.SubscribersAndAdmins, entitlement)
		return admission(err, auth.ErrNotEntitled)
	case page.Admin:
		return admission(c.Roles.Admin(ctx, c.member.UID), auth.ErrAdminRequired)
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

// Leads says whether a link that a member shares leads anywhere.
func (c *caller) Leads(ctx context.Context, token string) bool {
	if !uids.IsShareToken(token) {
		return false
	}
	ctx, cancel := context.WithTimeout(auth.WithSubject(ctx, auth.Subject{}), existsTime)
	defer cancel()
	_, err := c.Clients.Shares.OpenShare(ctx, &generationv1.OpenShareRequest{Token: token})
	return errs.KindOf(err) != errs.NotFound && errs.KindOf(err) != errs.Invalid
}

// Exists says whether a meditation's page has one of the member's. Visitors are not asked about:
// for them every id might be somebody's.
func (c *caller) Exists(ctx context.Context, id string) bool {
	if c.member == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(withMember(ctx, c.member), existsTime)
	defer cancel()
	_, err := c.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
	return errs.KindOf(err) != errs.NotFound
}
