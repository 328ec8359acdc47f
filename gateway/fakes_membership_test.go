package gateway

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// lives is what happens to memberships after their first payment, behind billing, identity and mail.
type lives struct {
	// lastly are the last requests, by name.
	lastly  map[string]proto.Message
	charged *billingv1.Card
	gods    bool
	// ledgers by uid, the newest first, and the holds that are open.
	ledgers map[string][]*billingv1.LedgerEntry
	holds   []*billingv1.OpenHold
	// letters that are wished, and links of letters that were followed.
	wishes     map[string]*mailv1.Preferences
	ended      map[string]bool
	suppressed bool
	notices    []*mailv1.ReceiveNoticeRequest
	free       map[string]*mailv1.SendFreeLetterRequest
}

func newLives() lives {
	return lives{
		lastly: map[string]proto.Message{}, ledgers: map[string][]*billingv1.LedgerEntry{}, wishes: map[string]*mailv1.Preferences{},
		ended: map[string]bool{}, free: map[string]*mailv1.SendFreeLetterRequest{},
	}
}

func (l *lives) hear(name string, m proto.Message) { l.lastly[name] = m }

// membershipFake is billing's part, inviteFake identity's; postFake is mail's.
type (
	membershipFake struct{ *services }
	inviteFake     struct{ *services }
	postFake       struct {
		*services
		mailv1connect.UnimplementedLetterServiceHandler
	}
)

// membershipPolicy is what billing lets the gateway ask beside the rest.
func membershipPolicy(policy auth.Policy) auth.Policy {
	admin := auth.Rule{Services: []string{"gateway"}, Admin: true}
	policy[billingv1connect.OperatorServiceResetToTrialProcedure] = admin
	policy[billingv1connect.OperatorServiceEndSubscriptionProcedure] = admin
	return forMembers(policy,
		billingv1connect.SubscriptionServiceGetSubscriptionProcedure, billingv1connect.SubscriptionServicePreviewChangeProcedure,
		billingv1connect.SubscriptionServiceChangePlanProcedure, billingv1connect.SubscriptionServiceCancelSubscriptionProcedure,
		billingv1connect.SubscriptionServiceKeepSubscriptionProcedure, billingv1connect.ReferralServiceGetReferralsProcedure,
		billingv1connect.LedgerServiceListLedgerEntriesProcedure, billingv1connect.SubscriptionServiceTakeCardProcedure,
	)
}

func (f membershipFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(billingv1connect.NewSubscriptionServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewReferralServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewOperatorServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewLedgerServiceHandler(f, r.Options()...))
}

// postPolicy is what mail lets the gateway ask, and programs.
func postPolicy() auth.Policy {
	open, member := auth.Rule{Services: []string{"gateway"}}, auth.Rule{Services: []string{"gateway"}, Member: true}
	return auth.Policy{
		mailv1connect.MailServiceSendContactMessageProcedure:         open,
		mailv1connect.LetterServiceSendFreeLetterProcedure:           {Services: []string{"gateway"}, Admin: true, Scope: "serein.mail.send"},
		mailv1connect.LetterServiceSendInvitationProcedure:           member,
		mailv1connect.PreferenceServiceGetPreferencesProcedure:       member,
		mailv1connect.PreferenceServiceSetPreferencesProcedure:       member,
		mailv1connect.DeliveryServiceDescribeUnsubscriptionProcedure: open,
		mailv1connect.DeliveryServiceUnsubscribeProcedure:            open,
		mailv1connect.DeliveryServiceReceiveNoticeProcedure:          open,
	}
}

func (f postFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(mailv1connect.NewLetterServiceHandler(f, r.Options()...))
	mux.Handle(mailv1connect.NewPreferenceServiceHandler(f, r.Options()...))
	mux.Handle(mailv1connect.NewDeliveryServiceHandler(f, r.Options()...))
}

func (f inviteFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(identityv1connect.NewInviteServiceHandler(f, r.Options()...))
}

const aCode = "GRACE-7K2F"

// GetInvite knows one code, and everybody's own.
func (f inviteFake) GetInvite(ctx context.Context, req *identityv1.GetInviteRequest) (*identityv1.GetInviteResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	own := auth.SubjectFrom(ctx).UID != "" && req.GetCode() == user("", false).GetReferralCode()
	return &identityv1.GetInviteResponse{Known: !own && (req.GetCode() == aCode || req.GetCode() == user("", false).GetReferralCode())}, nil
}

var errNoSubscription = errs.New(errs.NotFound, errorsv1.Reason_REASON_SUBSCRIPTION_NOT_FOUND, "There is no membership.")

// paying is the caller's subscription, if it is paid every period.
func (f membershipFake) paying(ctx context.Context, name string, req proto.Message) (*billingv1.Subscription, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hear(name, req)
	has := f.plan[auth.Member(ctx)]
	if has.GetPeriod() == "" {
		return nil, errNoSubscription
	}
	return proto.CloneOf(has), nil
}

// becomes keeps a subscription as it is after a change.
func (f membershipFake) becomes(ctx context.Context, s *billingv1.Subscription) *billingv1.Subscription {
	f.subscribed(auth.Member(ctx), s)
	return s
}

func (f membershipFake) GetSubscription(ctx context.Context, _ *billingv1.GetSubscriptionRequest) (*billingv1.GetSubscriptionResponse, error) {
	account, err := f.services.GetAccount(ctx, nil)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	out := &billingv1.GetSubscriptionResponse{Subscription: account.GetSubscription(), Card: f.charged, GodControls: f.gods}
	if account.GetSubscription().GetPaymentFailedAt() != nil {
		out.NextAttempt = timestamppb.New(createdAt.AddDate(0, 0, 3))
	}
	return out, nil
}

func (f membershipFake) PreviewChange(ctx context.Context, req *billingv1.PreviewChangeRequest) (*billingv1.PreviewChangeResponse, error) {
	if _, err := f.paying(ctx, "PreviewChange", req); err != nil {
		return nil, err
	}
	amount := int64(500)
	if req.GetPeriod() == "month" {
		amount = -250
	}
	return &billingv1.PreviewChangeResponse{Quote: &billingv1.ChangeQuote{
		PlanId: req.GetPlanId(), PlanName: "Premium", Period: req.GetPeriod(), Amount: amount, Currency: "gbp", NextAmount: 1299,
		NextChargeAt: timestamppb.New(createdAt.AddDate(0, 1, 0)), PlanCredits: 41, At: timestamppb.New(createdAt), Lines: quoteLines(amount),
	}}, nil
}

// quoteLines has one of each kind.
func quoteLines(amount int64) []*billingv1.ChangeLine {
	return []*billingv1.ChangeLine{
		{Kind: billingv1.ChangeLineKind_CHANGE_LINE_KIND_PLAN, PlanName: "Premium", Amount: amount + 713, Days: 23, PeriodDays: 30},
		{Kind: billingv1.ChangeLineKind_CHANGE_LINE_KIND_UNUSED, PlanName: "Core", Amount: -613, Days: 23, PeriodDays: 30},
		{Kind: billingv1.ChangeLineKind_CHANGE_LINE_KIND_BALANCE, Amount: -80},
		{Kind: billingv1.ChangeLineKind_CHANGE_LINE_KIND_WAITING, Amount: -20},
	}
}

func (f membershipFake) ChangePlan(ctx context.Context, req *billingv1.ChangePlanRequest) (*billingv1.ChangePlanResponse, error) {
	has, err := f.paying(ctx, "ChangePlan", req)
	if err != nil {
		return nil, err
	}
	has.PlanId, has.PlanName, has.Period, has.Amount, has.PriceId = req.GetPlanId(), "Premium", req.GetPeriod(), 1299, "price_premium"
	return &billingv1.ChangePlanResponse{Subscription: f.becomes(ctx, has)}, nil
}

func (f membershipFake) CancelSubscription(ctx context.Context, req *billingv1.CancelSubscriptionRequest) (*billingv1.CancelSubscriptionResponse, error) {
	has, err := f.paying(ctx, "CancelSubscription", req)
	if err != nil {
		return nil, err
	}
	has.Status, has.Renews, has.AccessUntil = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_CANCELLING, false, has.GetEndsAt()
	return &billingv1.CancelSubscriptionResponse{Subscription: f.becomes(ctx, has)}, nil
}

func (f membershipFake) KeepSubscription(ctx context.Context, req *billingv1.KeepSubscriptionRequest) (*billingv1.KeepSubscriptionResponse, error) {
	has, err := f.paying(ctx, "KeepSubscription", req)
	if err != nil {
		return nil, err
	}
	has.Status, has.Renews = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, true
	return &billingv1.KeepSubscriptionResponse{Subscription: f.becomes(ctx, has)}, nil
}

func (f membershipFake) TakeCard(ctx context.Context, req *billingv1.TakeCardRequest) (*billingv1.TakeCardResponse, error) {
	has, err := f.paying(ctx, "TakeCard", req)
	if err != nil {
		return nil, err
	}
	has.Status, has.PaymentFailedAt = billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ACTIVE, nil
	return &billingv1.TakeCardResponse{Subscription: f.becomes(ctx, has), Card: &billingv1.Card{Brand: "visa", Last4: "4444"}}, nil
}

func (f membershipFake) GetReferrals(ctx context.Context, _ *billingv1.GetReferralsRequest) (*billingv1.GetReferralsResponse, error) {
	return &billingv1.GetReferralsResponse{Invited: 2, Rewarded: 1, Credits: 5, Reward: 5}, f.fault(ctx)
}

func (f membershipFake) ResetToTrial(ctx context.Context, req *billingv1.ResetToTrialRequest) (*billingv1.ResetToTrialResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.hear("ResetToTrial", req)
	f.mu.Unlock()
	return &billingv1.ResetToTrialResponse{Subscription: f.becomes(ctx, trial())}, nil
}

func (f membershipFake) EndSubscription(ctx context.Context, req *billingv1.EndSubscriptionRequest) (*billingv1.EndSubscriptionResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.hear("EndSubscription", req)
	f.mu.Unlock()
	over := trial()
	over.Active, over.Entitlements, over.Status = false, nil, billingv1.SubscriptionStatus_SUBSCRIPTION_STATUS_ENDED
	return &billingv1.EndSubscriptionResponse{Subscription: f.becomes(ctx, over)}, nil
}

// CorrectCredits is no call of the gateway's.
func (membershipFake) CorrectCredits(context.Context, *billingv1.CorrectCreditsRequest) (*billingv1.CorrectCreditsResponse, error) {
	return nil, auth.ErrForbidden
}

func (f membershipFake) ListLedgerEntries(ctx context.Context, req *billingv1.ListLedgerEntriesRequest) (*billingv1.ListLedgerEntriesResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.ledgers[req.GetUid()]
	from, _ := strconv.Atoi(req.GetPageToken())
	to := min(from+int(req.GetPageSize()), len(all))
	out := &billingv1.ListLedgerEntriesResponse{Entries: slices.Clone(all[from:to])}
	if from == 0 {
		out.Holds = f.holds
	}
	if to < len(all) {
		out.NextPageToken = strconv.Itoa(to)
	}
	return out, nil
}

func (f postFake) GetPreferences(ctx context.Context, _ *mailv1.GetPreferencesRequest) (*mailv1.GetPreferencesResponse, error) {
	err := f.fault(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	wish := f.wishes[auth.Member(ctx)]
	if wish == nil {
		wish = &mailv1.Preferences{Reminders: true, Rewards: true}
	}
	return &mailv1.GetPreferencesResponse{Preferences: wish, Suppressed: f.suppressed}, err
}

func (f postFake) SetPreferences(ctx context.Context, req *mailv1.SetPreferencesRequest) (*mailv1.SetPreferencesResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wishes[auth.Member(ctx)] = req.GetPreferences()
	return &mailv1.SetPreferencesResponse{Preferences: req.GetPreferences()}, nil
}

func (f postFake) SendInvitation(ctx context.Context, req *mailv1.SendInvitationRequest) (*mailv1.SendInvitationResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hear("SendInvitation", req)
	return &mailv1.SendInvitationResponse{}, nil
}

// aLink is the token of a member's letter, and aFriendsLink of an invitation.
const (
	aLink        = "v1.cmVtaW5kZXJz.c2lnbmF0dXJl"
	aFriendsLink = "v1.ZnJpZW5k.c2lnbmF0dXJl"
)

var (
	errNoLink = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUBSCRIBE_INVALID, "This link is not ours.")
	linkKinds = map[string]mailv1.LetterKind{aLink: mailv1.LetterKind_LETTER_KIND_REMINDERS, aFriendsLink: mailv1.LetterKind_LETTER_KIND_INVITATIONS}
)

func (f postFake) DescribeUnsubscription(ctx context.Context, req *mailv1.DescribeUnsubscriptionRequest) (*mailv1.DescribeUnsubscriptionResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	kind, ok := linkKinds[req.GetToken()]
	if !ok {
		return nil, errNoLink
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return &mailv1.DescribeUnsubscriptionResponse{Kind: kind, Ended: f.ended[req.GetToken()]}, nil
}

func (f postFake) Unsubscribe(ctx context.Context, req *mailv1.UnsubscribeRequest) (*mailv1.UnsubscribeResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	kind, ok := linkKinds[req.GetToken()]
	if !ok {
		return nil, errNoLink
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended[req.GetToken()] = true
	return &mailv1.UnsubscribeResponse{Kind: kind}, nil
}

func (f postFake) ReceiveNotice(ctx context.Context, req *mailv1.ReceiveNoticeRequest) (*mailv1.ReceiveNoticeResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	if req.GetSignature() == "forged" {
		return nil, errForged
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notices = append(f.notices, req)
	return &mailv1.ReceiveNoticeResponse{}, nil
}

func (f postFake) SendFreeLetter(ctx context.Context, req *mailv1.SendFreeLetterRequest) (*mailv1.SendFreeLetterResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.free[req.GetIdempotencyKey()] = req
	return &mailv1.SendFreeLetterResponse{MailId: "m-2"}, nil
}
