package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// caller is who calls: a member, or a service account.
type caller struct {
	// uid of the member; empty for a service account.
	uid string
	// account is a service account's client id; empty for a member.
	account string
	// scopes of an access token; a member on our own pages needs none.
	scopes []string
	token  bool
	// bearer is a service account's token itself: content hears it, not us, say who changes something.
	bearer string
	// tokenID is the token's jti.
	tokenID string
}

// mayBeAdmin says whether a role that identity gives counts for this caller. A token is held by an
// app, mostly somebody else's: it acts for its member with what every member has, and never for a
// member of the team with theirs.
func (c *caller) mayBeAdmin() bool { return c.account == "" && !c.token }

// String is for the log.
func (c *caller) String() string {
	switch {
	case c.account != "":
		return "client:" + c.account
	case c.uid != "":
		return "member:" + c.uid
	}
	return "nobody"
}

// name is who acts, in a proof: a member's uid or a service account's client id.
func (c *caller) name() string {
	if c.account != "" {
		return c.account
	}
	return c.uid
}

// key is what limits count by.
func (c *caller) key() string {
	if c.account != "" {
		return "client:" + c.account
	}
	return c.uid
}

type callerKey struct{}

// asCaller makes a service hear a service account as its caller, with its own rules for its scopes and its own name in the trail.
// Members are named in the context by their role.
func asCaller(ctx context.Context) context.Context {
	if c := callerOf(ctx); c.account != "" {
		return auth.WithAccessToken(ctx, c.bearer)
	}
	return ctx
}

func callerOf(ctx context.Context) *caller {
	c, _ := ctx.Value(callerKey{}).(*caller)
	return c
}

// admit proves the caller, counts the call and checks its rule; GenerateMeditation counts itself further. who is filled in for the log.
func (a *API) admit(ctx context.Context, c *call, r *http.Request, who *caller) (context.Context, error) {
	proved, err := a.prove(ctx, r)
	if err != nil {
		return ctx, err
	}
	*who = *proved
	// The same for a member here and on the screens: one person, one limit.
	if ok, after := a.Calls.Allow(who.key(), a.Now()); !ok {
		return ctx, guard.TooSoon(after)
	}
	ctx = context.WithValue(ctx, callerKey{}, who)
	if who.token && !slices.Contains(who.scopes, c.scope) {
		return ctx, login.ErrScope.Because(fmt.Errorf("%s has %v, not %q", who, who.scopes, c.scope))
	}
	if who.account != "" {
		if !c.accounts {
			return ctx, errAccount
		}
		return ctx, nil
	}
	if who.token {
		err := a.Standing(ctx, who.tokenID, c.verb != http.MethodGet)
		if err != nil && errs.KindOf(err) == errs.Unauthenticated {
			return ctx, login.ErrCaller.Because(err)
		}
		if err != nil {
			return ctx, err
		}
	}
	if c.role == roles.Admins && !who.mayBeAdmin() {
		return ctx, auth.ErrAdminRequired.Because(errors.New("an access token carries no admin powers"))
	}
	role := c.role
	if role == roles.SubscribersAndAdmins && !who.mayBeAdmin() {
		role = roles.Subscribers
	}
	ctx, err = a.Roles.As(ctx, who.uid, role, c.entitlement)
	if err != nil || !c.named {
		return ctx, err
	}
	ctx = a.Roles.Named(ctx, who.uid)
	if !who.mayBeAdmin() {
		ctx = roles.WithoutAdmin(ctx)
	}
	return ctx, nil
}

// prove admits two kinds of caller: a program with an access token, and our own pages with a
// session. The token alone decides about a request that has one.
func (a *API) prove(ctx context.Context, r *http.Request) (*caller, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		token, ok := auth.Bearer(header)
		if !ok {
			return nil, login.ErrCaller.Because(errors.New("not a bearer token"))
		}
		access, err := a.Access(ctx, token)
		if err != nil && errs.KindOf(err) == errs.Unauthenticated {
			return nil, login.ErrCaller.Because(err)
		}
		if err != nil {
			return nil, err
		}
		proved := &caller{uid: access.UID, account: access.Account, scopes: access.Scopes, token: true, tokenID: access.TokenID}
		if proved.account != "" {
			proved.bearer = token
		}
		return proved, nil
	}
	id := session.IDFrom(r.Header)
	if id == "" {
		return nil, login.ErrCaller
	}
	if err := a.Site.FromOwnPage(r); err != nil {
		return nil, err
	}
	signedIn, err := a.Sessions.Check(ctx, id)
	if err != nil {
		return nil, err
	}
	return &caller{uid: signedIn.Member.UID}, nil
}
