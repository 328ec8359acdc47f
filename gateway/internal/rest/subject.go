package rest

import (
	"context"

	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/uid"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// subject says which member a call is about that may name one in field: the caller's own, or any
// for admins and service accounts. The calls made with the context that comes back name that member,
// and who reads in their stead as the actor: services let an actor read, and change nothing. For
// everybody else another member is as if there were none: USER_NOT_FOUND.
func (a *API) subject(ctx context.Context, named, field string) (context.Context, string, error) {
	c := callerOf(ctx)
	switch {
	case c.account != "" && named == "":
		return ctx, "", rpc.ErrInvalid.On(field)
	case c.account == "" && (named == "" || named == c.uid):
		return ctx, c.uid, nil
	case !uid.IsCanonical(named), c.account == "" && !c.mayBeAdmin():
		return ctx, "", errUser
	case c.account == "":
		admin, err := a.Roles.IsAdmin(ctx, c.uid)
		if err != nil {
			return ctx, "", err
		}
		if !admin {
			return ctx, "", errUser
		}
	}
	return auth.WithSubject(ctx, auth.Subject{UID: named, Actor: c.name()}), named, nil
}

// ownOnly refuses a call that names another member than its caller: whom it is about is the session's word, or the token's.
func ownOnly(ctx context.Context, named ...string) error {
	for _, uid := range named {
		if uid != "" && uid != callerOf(ctx).uid {
			return errUser
		}
	}
	return nil
}

// user asks identity for the member that a call is about. For another member it is the admin who
// asks, in the proof too: identity checks the role again, and can tell who has read.
func (a *API) user(ctx context.Context, uid string) (*identityv1.User, error) {
	req := &identityv1.GetUserRequest{}
	if c := callerOf(ctx); c.account == "" && c.uid != uid {
		asAdmin, err := a.Roles.As(ctx, c.uid, roles.Admins, "")
		if err != nil {
			return nil, err
		}
		ctx, req.Uid = asAdmin, uid
	}
	res, err := a.Clients.Users.GetUser(ctx, req)
	return res.GetUser(), err
}
