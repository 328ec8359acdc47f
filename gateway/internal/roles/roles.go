// Package roles says who may call, and knows what members are beside being signed in: admins, as
// identity alone says, and subscribers, by the entitlements that billing says hold now. Neither a
// token's claim nor a plan's id says anything here.
//
// It remembers both services' answers for some seconds, so that not every call costs a hop. It
// refuses to guess: what cannot be asked is refused as unavailable. Only what grants something is
// answered from memory; before every refusal the service is asked anew, so that who has just got a
// right need not wait. Who may not is refused with auth's own errors, as by the services.
package roles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"serein.app/gateway/internal/memory"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

const (
	// adminLife is how long an admin may go on after identity has said that they are one.
	adminLife = 30 * time.Second
	// userLife is how long a member's record is shown from memory. Loading a page asks for it two or
	// three times within some seconds; what others change of it shows within these.
	userLife = 10 * time.Second
	// entitlementLife is how long billing's answer about entitlements is used.
	entitlementLife = 5 * time.Second
	// askTime bounds one question.
	askTime = 2 * time.Second
)

// Role is what somebody must be to call. The zero Role lets nobody in.
type Role int

const (
	_ Role = iota
	// Anybody: the session is not even looked at.
	Anybody
	// Visitors too: a session is used where there is one.
	Visitors
	// Members only.
	Members
	// Subscribers: members whose plan holds the entitlement that the rule names now.
	Subscribers
	// Admins, as identity says.
	Admins
)

// errNoRole is the answer to a call whose rule forgot to say who may make it.
var errNoRole = errors.New("nobody may make this call: its rule names no role")

// Roles asks and remembers. One a process.
type Roles struct {
	users        identityv1connect.UserServiceClient
	accounts     billingv1connect.AccountServiceClient
	now          func() time.Time
	known        *memory.Memory[*identityv1.User]
	entitlements *memory.Memory[[]string]
}

// New makes Roles.
func New(users identityv1connect.UserServiceClient, accounts billingv1connect.AccountServiceClient, now func() time.Time) (*Roles, error) {
	known, err := memory.New[*identityv1.User](now)
	if err != nil {
		return nil, err
	}
	entitlements, err := memory.New[[]string](now)
	if err != nil {
		return nil, err
	}
	return &Roles{users: users, accounts: accounts, now: now, known: known, entitlements: entitlements}, nil
}

// As makes the calls that follow name the member in that role, so that the services can check it
// again; entitlement is what Subscribers need, any one where it is empty. Errors:
// auth.ErrAdminRequired, auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) As(ctx context.Context, uid string, role Role, entitlement string) (context.Context, error) {
	subject := auth.Subject{UID: uid}
	var err error
	switch role {
	case Anybody, Visitors, Members:
		return auth.WithMember(ctx, uid), nil
	case Subscribers:
		subject.Entitlements, err = r.Entitled(ctx, uid, entitlement)
	case Admins:
		subject.Admin, err = true, r.Admin(ctx, uid)
	default:
		err = errs.ErrInternal.Because(errNoRole)
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
	if user, ok := r.known.Recent(uid, adminLife); ok && user.GetAdmin() {
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

// User asks identity for a member's own record, and remembers it. It is shared and never changed.
func (r *Roles) User(ctx context.Context, uid string) (*identityv1.User, error) {
	ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), askTime)
	defer cancel()
	asked := r.now()
	res, err := r.users.GetUser(ctx, &identityv1.GetUserRequest{})
	if err != nil {
		return nil, err
	}
	r.known.Put(uid, res.GetUser(), asked)
	return res.GetUser(), nil
}

// RecentUser is User, but for a record at most userLife old that needs nothing of its member:
// complete says so.
func (r *Roles) RecentUser(ctx context.Context, uid string, complete func(*identityv1.User) bool) (*identityv1.User, error) {
	if user, ok := r.known.Recent(uid, userLife); ok && complete(user) {
		return user, nil
	}
	return r.User(ctx, uid)
}

// ForgetUser is for a member who has changed their record: the next question goes to identity.
func (r *Roles) ForgetUser(uid string) { r.known.Forget(uid) }

// Entitled answers a member's entitlements when the one that is needed is among them; any one
// where none is named. A right is at most entitlementLife old; before a refusal billing is asked
// anew, so that who has just paid need not wait. Errors: auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) Entitled(ctx context.Context, uid, entitlement string) ([]string, error) {
	if held, ok := r.entitlements.Recent(uid, entitlementLife); ok && holds(held, entitlement) {
		return held, nil
	}
	account, err := r.Account(ctx, uid)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(fmt.Errorf("billing on %s: %w", uid, err))
	}
	held := account.GetSubscription().GetEntitlements()
	if !holds(held, entitlement) {
		return nil, auth.ErrNotEntitled
	}
	return held, nil
}

// Account asks billing for a member's own account, and remembers its entitlements.
func (r *Roles) Account(ctx context.Context, uid string) (*billingv1.GetAccountResponse, error) {
	ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), askTime)
	defer cancel()
	asked := r.now()
	res, err := r.accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	if err != nil {
		return nil, err
	}
	r.entitlements.Put(uid, res.GetSubscription().GetEntitlements(), asked)
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
