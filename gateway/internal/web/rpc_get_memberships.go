package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetMemberships answers the page with a card for each plan, as it is for who looks. Without billing it is shown all the same,
// with nothing to buy.
func (s *Screens) GetMemberships(ctx context.Context, _ *webv1.GetMembershipsRequest) (*webv1.GetMembershipsResponse, error) {
	found, v, err := s.seen(ctx)
	if err != nil {
		return nil, err
	}
	text := found.GetMemberships()
	return &webv1.GetMembershipsResponse{
		Title: text.GetTitle(), Subtitle: text.GetSubtitle(), Billing: text.GetBilling(),
		Plans:          each(found.GetPlans(), func(p *contentv1.ShopPlan) *webv1.MembershipCard { return v.card(p, found) }),
		QuestionsTitle: text.GetQuestionsTitle(), Questions: each(text.GetQuestions(), question), PricesIncludeVat: found.prices.vatPercent() > 0,
	}, nil
}

func question(q *contentv1.ShopQuestion) *webv1.Question {
	return &webv1.Question{Question: q.GetQuestion(), Answer: q.GetAnswer()}
}
