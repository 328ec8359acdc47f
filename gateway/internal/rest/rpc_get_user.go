package rest

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// GetUser answers a member's record, joined from identity, billing and basket. What is saved, liked
// and bought is empty until its services keep it.
func (a *API) GetUser(ctx context.Context, req *restv1.GetUserRequest) (*restv1.GetUserResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	ctx, uid, err := a.subject(ctx, req.GetUid(), "uid")
	if err != nil {
		return nil, err
	}
	var person *identityv1.User
	var account *billingv1.GetAccountResponse
	var stored *basketv1.GetBasketResponse
	all, bounded := errgroup.WithContext(ctx)
	all.Go(func() (err error) {
		person, err = a.user(bounded, uid)
		return err
	})
	all.Go(func() (err error) {
		stored, err = a.Clients.Baskets.GetBasket(bounded, &basketv1.GetBasketRequest{})
		return err
	})
	all.Go(func() (err error) {
		account, err = a.Clients.Accounts.GetAccount(bounded, &billingv1.GetAccountRequest{})
		return err
	})
	if err := all.Wait(); err != nil {
		return nil, err
	}
	record := userRecord(uid, person, account)
	a.describe(ctx, record.GetSubscription())
	record.Basket = basket(stored.GetBasket())
	return &restv1.GetUserResponse{User: record}, nil
}

// basket has what is bought now, each line's product by its id alone: names and prices are the catalogue's.
func basket(b *basketv1.Basket) []*restv1.BasketLine {
	var lines []*restv1.BasketLine
	for _, l := range b.GetLines() {
		if l.GetSavedAt() != nil {
			continue
		}
		lines = append(lines, &restv1.BasketLine{
			Product:  &restv1.Product{Id: l.GetProductId(), Size: l.GetSize()},
			Quantity: l.GetQuantity(), Size: l.GetSize(), SavedAt: l.GetAddedAt(), LineItemId: l.GetId(),
		})
	}
	return lines
}

func userRecord(uid string, u *identityv1.User, account *billingv1.GetAccountResponse) *restv1.User {
	return &restv1.User{
		Uid: uid, FirebaseId: uid, CreatedBy: uid, Email: u.GetEmail(),
		FirstName: u.GetGivenName(), SurName: u.GetFamilyName(), Name: strings.TrimSpace(u.GetGivenName() + " " + u.GetFamilyName()),
		ReferralCode: u.GetReferralCode(), IsGod: u.GetAdmin(), Consents: consents(u.GetConsents()),
		SavedItems: &restv1.SavedItems{}, Favourites: &restv1.Favourites{},
		Subscription: subscription(account.GetSubscription(), account.GetBalance()),
	}
}

func consents(in []*identityv1.Consent) *restv1.Consents {
	given := map[identityv1.ConsentKind]bool{}
	for _, c := range in {
		given[c.GetKind()] = c.GetGiven()
	}
	return &restv1.Consents{
		Essentials:         given[identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS],
		Analytics:          given[identityv1.ConsentKind_CONSENT_KIND_ANALYTICS],
		Marketing:          given[identityv1.ConsentKind_CONSENT_KIND_MARKETING],
		TermsAndConditions: given[identityv1.ConsentKind_CONSENT_KIND_TERMS],
	}
}

// describe adds the plan's description from the catalogue; an answer can do without.
func (a *API) describe(ctx context.Context, s *restv1.Subscription) {
	if s == nil {
		return
	}
	found, err := a.Plans(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "answered without the plan's description", "request_id", requestID(ctx), "error", err)
	}
	for _, p := range found {
		if p.GetId() == s.GetSubId() {
			s.Description = p.GetDescription()
		}
	}
}

const day = 24 * time.Hour

// subscription is nil where the member has none: the trial has not started yet. A member who has any
// other plan has completed the trial.
func subscription(s *billingv1.Subscription, b *billingv1.Balance) *restv1.Subscription {
	if s == nil {
		return nil
	}
	return &restv1.Subscription{
		SubId: s.GetPlanId(), Subscription: s.GetPlanId(), PlanName: s.GetPlanName(), StartDate: s.GetStartsAt(),
		Duration:          int32(s.GetEndsAt().AsTime().Sub(s.GetStartsAt().AsTime()) / day),
		MeditationCredits: int32(b.GetPlanAvailable()), ExtraBespokeMeditationCredits: int32(b.GetTopUpAvailable()),
		HasCompletedTrial: s.GetPlanKind() != billingv1.PlanKind_PLAN_KIND_TRIAL || !s.GetActive(),
		IsActiveSub:       s.GetActive(), Active: s.GetActive(),
	}
}
