package rpc

import (
	"context"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
)

// Accounts answers AccountService.
type Accounts struct {
	store Store
	now   func() time.Time
}

// NewAccounts makes the handler.
func NewAccounts(store Store, now func() time.Time) *Accounts { return &Accounts{store, now} }

// GetAccount answers for the member named by the caller's token.
func (a *Accounts) GetAccount(ctx context.Context, _ *billingv1.GetAccountRequest) (*billingv1.GetAccountResponse, error) {
	uid, err := uuid.Parse(auth.Member(ctx))
	if err != nil {
		return nil, auth.ErrUnauthenticated.Because(err)
	}
	account, err := a.store.Account(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &billingv1.GetAccountResponse{
		Subscription: toProtoSubscription(account.Subscription, a.now()),
		Balance:      toProtoBalance(account.Balance),
	}, nil
}

func toProtoSubscription(s *credits.Subscription, now time.Time) *billingv1.Subscription {
	if s == nil {
		return nil
	}
	return &billingv1.Subscription{
		PlanId: s.PlanID, PlanName: s.PlanName, Active: s.Active(now),
		StartsAt: timestamppb.New(s.StartsAt), EndsAt: timestamppb.New(s.EndsAt),
	}
}

func toProtoBalance(b credits.Balance) *billingv1.Balance {
	return &billingv1.Balance{PlanAvailable: b.PlanAvailable, TopUpAvailable: b.TopUpAvailable, Held: b.Held}
}
