// Package roles knows what members are beside being signed in: admins, by identity's word alone,
// and subscribers, by the entitlements that billing says hold now. Neither a token's claim nor a
// plan's id says anything here.
//
// It owns two short memories, so that not every call costs a hop. It refuses to guess: what cannot
// be asked is refused as unavailable. A right is remembered and a refusal never: who has just got a
// right need not wait. Who may not is refused with auth's own errors, as by the services.
package roles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

const (
	// adminLife is how long identity's word about an admin is used.
	adminLife = 30 * time.Second
	// entitlementLife is how long billing's word about entitlements is used.
	entitlementLife = 5 * time.Second
	// askTime bounds one question.
	askTime = 2 * time.Second
	// remembered members, of each memory.
	remembered = 10_000
)

// Roles asks and remembers. One a process.
type Roles struct {
	users        identityv1connect.UserServiceClient
	accounts     billingv1connect.AccountServiceClient
	now          func() time.Time
	admins       *lru.Cache[string, time.Time] // until when each is known to be one
	entitlements *lru.Cache[string, entitled]
}

// entitled is what a member's entitlements are, and for how long that is believed.
type entitled struct {
	entitlements []string
	end          time.Time
}

// New makes Roles.
func New(users identityv1connect.UserServiceClient, accounts billingv1connect.AccountServiceClient, now func() time.Time) (*Roles, error) {
	admins, err := lru.New[string, time.Time](remembered)
	if err != nil {
		return nil, err
	}
	entitlements, err := lru.New[string, entitled](remembered)
	if err != nil {
		return nil, err
	}
	return &Roles{users: users, accounts: accounts, now: now, admins: admins, entitlements: entitlements}, nil
}

// Need is the role that a call asks for; the zero Need asks for none.
type Need struct {
	Admin bool
	// Subscriber with this entitlement; with any where none is named.
	Subscriber  bool
	Entitlement string
}

// As makes the calls that follow name the member with the role, so that the services can check it
// again. Errors: auth.ErrAdminRequired, auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) As(ctx context.Context, uid string, need Need) (context.Context, error) {
	subject := auth.Subject{UID: uid}
	var err error
	if need.Subscriber {
		subject.Entitlements, err = r.Entitled(ctx, uid, need.Entitlement)
	}
	if need.Admin && err == nil {
		subject.Admin, err = true, r.Admin(ctx, uid)
	}
	if err != nil {
		return ctx, err
	}
	return auth.WithSubject(ctx, subject), nil
}

// Admin refuses a member who is not an admin. Errors: auth.ErrAdminRequired, errs.ErrUnavailable.
func (r *Roles) Admin(ctx context.Context, uid string) error {
	admin, err := r.IsAdmin(ctx, uid)
	if err != nil {
		return err
	}
	if !admin {
		return auth.ErrAdminRequired
	}
	return nil
}

// IsAdmin says what identity says now, or that it said yes at most adminLife ago. Errors:
// errs.ErrUnavailable.
func (r *Roles) IsAdmin(ctx context.Context, uid string) (bool, error) {
	if end, ok := r.admins.Get(uid); ok && r.now().Before(end) {
		return true, nil
	}
	user, err := r.User(ctx, uid)
	if unknown(err) { // a member of a provider that is not ours
		return false, nil
	}
	if err != nil {
		return false, errs.ErrUnavailable.Because(fmt.Errorf("identity on %s: %w", uid, err))
	}
	return user.GetAdmin(), nil
}

// User asks identity for a member's own record, and remembers where it is an admin's.
func (r *Roles) User(ctx context.Context, uid string) (*identityv1.User, error) {
	ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), askTime)
	defer cancel()
	res, err := r.users.GetUser(ctx, &identityv1.GetUserRequest{})
	if err != nil {
		return nil, err
	}
	if res.GetUser().GetAdmin() {
		r.admins.Add(uid, r.now().Add(adminLife))
	} else {
		r.admins.Remove(uid)
	}
	return res.GetUser(), nil
}

// Entitled answers a member's entitlements when the one that is needed is among them; any one
// where none is named. A right is at most entitlementLife old; before a refusal billing is asked
// anew, so that who has just paid need not wait. Errors: auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) Entitled(ctx context.Context, uid, entitlement string) ([]string, error) {
	if known, ok := r.entitlements.Get(uid); ok && r.now().Before(known.end) && holds(known.entitlements, entitlement) {
		return known.entitlements, nil
	}
	account, err := r.Account(ctx, uid)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(fmt.Errorf("billing on %s: %w", uid, err))
	}
	now := account.GetSubscription().GetEntitlements()
	if !holds(now, entitlement) {
		return nil, auth.ErrNotEntitled
	}
	return now, nil
}

// Account asks billing for a member's own account, and remembers its entitlements.
func (r *Roles) Account(ctx context.Context, uid string) (*billingv1.GetAccountResponse, error) {
	ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), askTime)
	defer cancel()
	res, err := r.accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	if err != nil {
		return nil, err
	}
	r.entitlements.Add(uid, entitled{res.GetSubscription().GetEntitlements(), r.now().Add(entitlementLife)})
	return res, nil
}

func holds(entitlements []string, needed string) bool {
	if needed == "" {
		return len(entitlements) > 0
	}
	return slices.Contains(entitlements, needed)
}

func unknown(err error) bool {
	var e *errs.Error
	return errors.As(err, &e) && e.Kind == errs.NotFound
}
