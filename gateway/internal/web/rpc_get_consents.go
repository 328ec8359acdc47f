package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetConsents answers what the member has agreed to, as it stands.
func (s *Screens) GetConsents(ctx context.Context, _ *webv1.GetConsentsRequest) (*webv1.GetConsentsResponse, error) {
	res, err := s.Clients.Consents.GetConsents(ctx, &identityv1.GetConsentsRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.GetConsentsResponse{Consents: consents(res.GetConsents())}, nil
}
