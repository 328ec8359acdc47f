package cognito

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/errs"
)

var (
	errToken = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "The access token is not good, or has ended.")
	errScope = errs.New(errs.Forbidden, errorsv1.Reason_REASON_NOT_AUTHORIZED, "The access token does not allow that: its client is not one of ours.")
)

// bearer finds whose access token it is. Wrong ones are counted with the calls of the public client; right ones are not.
func (h *Handler) bearer(ctx context.Context, c *call) (oidcop.Bearer, error) {
	if err := need("AccessToken", c.AccessToken); err != nil {
		return oidcop.Bearer{}, err
	}
	b, err := h.cfg.Provider.Bearer(ctx, c.AccessToken)
	if errors.Is(err, account.ErrNotAuthorized) {
		if err := h.cfg.Accounts.AdmitAPI(ctx, c.address); err != nil {
			return b, err
		}
		return b, errToken.Because(err)
	}
	return b, err
}

// own is bearer for what a member does in their own pages, and lets no app of somebody else do.
func (h *Handler) own(ctx context.Context, c *call) (oidcop.Bearer, error) {
	b, err := h.bearer(ctx, c)
	if err == nil && !b.Own {
		err = errScope
	}
	return b, err
}

type user struct {
	Username       string
	UserAttributes []attribute
}

// getUser says who a token speaks of, as far as its scopes go; userinfo says the same.
func (h *Handler) getUser(ctx context.Context, c *call) (any, error) {
	b, err := h.bearer(ctx, c)
	if err != nil {
		return nil, err
	}
	out := user{Username: b.UID.String(), UserAttributes: []attribute{{"sub", b.UID.String()}}}
	if slices.Contains(b.Scopes, oidc.ScopeProfile) {
		out.Username = b.Username
		out.UserAttributes = append(out.UserAttributes, attribute{"given_name", b.GivenName}, attribute{"family_name", b.FamilyName})
	}
	if slices.Contains(b.Scopes, oidc.ScopeEmail) {
		out.UserAttributes = append(out.UserAttributes, attribute{"email", b.Email}, attribute{"email_verified", strconv.FormatBool(b.Confirmed)})
	}
	return out, nil
}

// changePassword sets another password for a member who gives the present one. The session and the grants of this token stay.
func (h *Handler) changePassword(ctx context.Context, c *call) (any, error) {
	if err := errors.Join(need("PreviousPassword", c.PreviousPassword), need("ProposedPassword", c.ProposedPassword)); err != nil {
		return nil, err
	}
	b, err := h.own(ctx, c)
	if err != nil {
		return nil, err
	}
	m := account.Signed{UID: b.UID.String(), SID: b.SID.String()}
	return struct{}{}, h.cfg.Accounts.ChangePassword(ctx, m, c.PreviousPassword, c.ProposedPassword)
}

// globalSignOut ends all sessions and tokens of the member, this token too.
func (h *Handler) globalSignOut(ctx context.Context, c *call) (any, error) {
	b, err := h.own(ctx, c)
	if err != nil {
		return nil, err
	}
	return struct{}{}, h.cfg.Provider.SignOutEverywhere(ctx, b.UID)
}
