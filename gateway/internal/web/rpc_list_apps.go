package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListApps answers the apps of somebody else that may act for the member.
func (s *Screens) ListApps(ctx context.Context, _ *webv1.ListAppsRequest) (*webv1.ListAppsResponse, error) {
	res, err := s.Clients.Apps.ListAppConsents(ctx, &identityv1.ListAppConsentsRequest{})
	if err != nil {
		return nil, err
	}
	return &webv1.ListAppsResponse{Apps: apps(res.GetConsents())}, nil
}
