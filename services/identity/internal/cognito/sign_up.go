package cognito

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
)

// Registrar creates accounts.
type Registrar interface {
	SignUp(ctx context.Context, in account.SignUp) (uuid.UUID, error)
}

type delivery struct {
	CodeDeliveryDetails codeDelivery
}

type signedUp struct {
	UserConfirmed bool
	UserSub       string
	delivery
}

type codeDelivery struct {
	AttributeName, DeliveryMedium, Destination string
}

// details hides most of the address. A resend knows none and says nothing about it.
func details(email string) codeDelivery {
	d := codeDelivery{AttributeName: "email", DeliveryMedium: "EMAIL", Destination: "***"}
	local, domain, ok := strings.Cut(email, "@")
	if ok && local != "" && domain != "" {
		d.Destination = local[:1] + "***@" + domain[:1] + "***"
	}
	return d
}

func (h *Handler) signUp(ctx context.Context, in request, address string) (any, error) {
	form := account.SignUp{Username: in.Username, Password: in.Password, AgeConfirmed: true, TermsVersion: account.VersionUnknown, Address: address}
	for _, a := range in.UserAttributes {
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
		case "username", "preferred_username":
			// The specification's panel repeats the username here; the field above counts.
		default:
			e := account.ErrInvalidParameter.Because(errors.New("unknown attribute"))
			e.Public = "There is an attribute that this service does not keep."
			return nil, e
		}
	}
	uid, err := h.accounts.SignUp(ctx, form)
	if err != nil {
		return nil, err
	}
	return signedUp{UserSub: uid.String(), delivery: delivery{CodeDeliveryDetails: details(form.Email)}}, nil
}
