package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetCredentials answers how the member signs in.
func (s *Screens) GetCredentials(ctx context.Context, _ *webv1.GetCredentialsRequest) (*webv1.GetCredentialsResponse, error) {
	res, err := s.Clients.Credentials.GetAccount(ctx, &identityv1.GetAccountRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.GetCredentialsResponse{Credentials: credentials(res.GetAccount())}, nil
}

func credentials(a *identityv1.Account) *webv1.Credentials {
	return &webv1.Credentials{
		Username: a.GetUsername(), Email: a.GetEmail(), GivenName: a.GetGivenName(), FamilyName: a.GetFamilyName(),
		NewEmail: a.GetNewEmail(), NewEmailExpires: a.GetNewEmailExpires(),
	}
}

// sid is the session at the provider that the caller's came of; empty where it names none.
func (s *Screens) sid(ctx context.Context) (string, error) {
	checked, err := s.Sessions.Check(ctx, sessionID(ctx))
	if err != nil {
		return "", err
	}
	return checked.SID, nil
}

// follow has the session say at once what was changed. Where it cannot it does with its next renewal.
func (s *Screens) follow(ctx context.Context) {
	if err := s.Sessions.Renew(ctx, sessionID(ctx)); err != nil {
		s.log.WarnContext(ctx, "a changed name or address shows with the next renewal", "error", err)
	}
}
