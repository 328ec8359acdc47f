package cognito

import (
	"context"

	"serein.app/services/identity/internal/account"
)

type signedUp struct {
	UserConfirmed bool
	UserSub       string
	delivery
}

// signUp creates an account that waits for its code.
func (h *Handler) signUp(ctx context.Context, c *call) (any, error) {
	form, err := c.form()
	if err != nil {
		return nil, err
	}
	up, err := h.cfg.Registry.SignUp(ctx, form)
	if err != nil {
		return nil, err
	}
	return signedUp{UserConfirmed: up.Confirmed, UserSub: up.Subject, delivery: delivery{details(form.Email)}}, nil
}

// form reads the attributes. Each may be there once.
func (c *call) form() (account.SignUp, error) {
	form := account.SignUp{Username: c.Username, Password: c.Password, AgeConfirmed: true, TermsVersion: account.VersionUnknown, Address: c.address}
	seen := map[string]bool{}
	for _, a := range c.UserAttributes {
		switch {
		case seen[a.Name]:
			return form, parameter("There is an attribute twice.")
		case len(a.Value) > attributeMax:
			return form, parameter("There is an attribute that is too long.")
		case !keep(&form, a):
			return form, parameter("There is an attribute that this service does not keep.")
		}
		seen[a.Name] = true
	}
	return form, nil
}

// keep puts an attribute into the form; false: it is none that is kept.
func keep(form *account.SignUp, a attribute) bool {
	switch a.Name {
	case "email":
		form.Email = a.Value
	case "given_name":
		form.GivenName = a.Value
	case "family_name":
		form.FamilyName = a.Value
	case "custom:age_confirmed":
		form.AgeConfirmed = a.Value == "true"
	case "custom:terms_version":
		form.TermsVersion = a.Value
	case "custom:invite":
		form.Invite = a.Value
	case "username", "preferred_username":
		// The specification's panel repeats the username here; the field of the request counts.
	default:
		return false
	}
	return true
}
