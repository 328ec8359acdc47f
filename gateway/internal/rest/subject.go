package rest

import (
	"context"

	"serein.app/gateway/internal/uid"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// whose says for which member a call is made that may name one in field: the caller's own, or any
// for admins and service accounts. The context that comes back acts for that member. For everybody
// else another member is as if there were none: USER_NOT_FOUND.
func (a *API) whose(ctx context.Context, named, field string) (context.Context, string, error) {
	c := callerOf(ctx)
	switch {
	case c.account != "" && named == "":
		return ctx, "", rpc.ErrInvalid.On(field)
	case c.account == "" && (named == "" || named == c.uid):
		return ctx, c.uid, nil
	case !uid.IsCanonical(named):
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
	return auth.WithMember(ctx, named), named, nil
}
