package web

import (
	"context"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListPlans answers the cards of Memberships, to visitors too.
func (s *Screens) ListPlans(ctx context.Context, _ *webv1.ListPlansRequest) (*webv1.ListPlansResponse, error) {
	found, err := s.plans.Get(ctx)
	if err != nil {
		return nil, err
	}
	out := &webv1.ListPlansResponse{}
	for _, p := range found {
		out.Plans = append(out.Plans, planCard(p))
	}
	return out, nil
}
