// Package roles decides who may call. It finds out what a signed-in member is: an admin by what identity says, and a subscriber by the
// entitlements that billing says hold now. It reads neither a token's claims nor a plan's id for this.
//
// It never guesses: while a service does not answer, the call is refused as unavailable. Only grants come from the view of the member;
// before every refusal it asks the service again, so that a member who has just got a right need not wait. It refuses with auth's errors,
// as the services do.
package roles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"serein.app/gateway/internal/view"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// Role is what somebody must be to call. The zero Role lets nobody in.
type Role int

const (
	_ Role = iota
	// Public: the session is not read.
	Public
	// Visitors too: a session is used where there is one.
	Visitors
	// Members only.
	Members
	// Subscribers: members whose plan holds the entitlement that the rule names now.
	Subscribers
	// Admins, as identity says.
	Admins
	// SubscribersAndAdmins: either.
	SubscribersAndAdmins
)

// errNoRole is the answer to a call whose rule forgot to say who may make it.
var errNoRole = errors.New("nobody may make this call: its rule names no role")

// Roles knows members' roles.
type Roles struct{ view *view.View }

// New makes Roles.
func New(v *view.View) *Roles { return &Roles{v} }

// As makes the calls that follow name the member in that role, so that the services can check it
// again; entitlement is what Subscribers need, any one where it is empty. Errors:
// auth.ErrAdminRequired, auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) As(ctx context.Context, uid string, role Role, entitlement string) (context.Context, error) {
	subject := auth.Subject{UID: uid}
	var err error
	switch role {
	case Public, Visitors, Members:
		return auth.WithMember(ctx, uid), nil
	case Subscribers:
		subject.Entitlements, err = r.Entitled(ctx, uid, entitlement)
	case SubscribersAndAdmins:
		subject.Entitlements, err = r.Entitled(ctx, uid, entitlement)
		if errors.Is(err, auth.ErrNotEntitled) && r.Admin(ctx, uid) == nil {
			subject.Admin, err = true, nil
		}
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

// partTime bounds what a member waits for identity and billing where neither decides whether they may call.
var partTime = deadline.Of(time.Second)

// Named makes the calls that follow name the member with all that they are now, for services whose answer
// depends on it. What cannot be asked is left out: the answer is then that for a member without it.
func (r *Roles) Named(ctx context.Context, uid string) context.Context {
	asking, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	subject := auth.Subject{UID: uid}
	if account, err := r.view.Accounts.Get(asking, uid); err == nil {
		subject.Entitlements = account.GetSubscription().GetEntitlements()
	}
	if user, err := r.view.Users.Get(asking, uid); err == nil {
		subject.Admin = user.GetAdmin()
	}
	return auth.WithSubject(ctx, subject)
}

// CachedAdmin says whether a member is an admin by what the view knows. It serves only what a page shows, never what a member may do.
// Where nothing is known, and identity does not tell, nobody is.
func (r *Roles) CachedAdmin(ctx context.Context, uid string) bool {
	if user, ok := r.view.Users.Current(uid); ok {
		return user.GetAdmin()
	}
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	user, err := r.view.Users.Get(ctx, uid)
	return err == nil && user.GetAdmin()
}

// WithoutAdmin takes the power of an admin from the member that the context names.
func WithoutAdmin(ctx context.Context) context.Context {
	subject := auth.SubjectFrom(ctx)
	subject.Admin = false
	return auth.WithSubject(ctx, subject)
}

// WithAtMost leaves the member that the context names those words of their plan.
func WithAtMost(ctx context.Context, words ...string) context.Context {
	subject := auth.SubjectFrom(ctx)
	had := subject.Entitlements
	subject.Entitlements = nil
	for _, word := range had {
		if slices.Contains(words, word) {
			subject.Entitlements = append(subject.Entitlements, word)
		}
	}
	return auth.WithSubject(ctx, subject)
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

// IsAdmin says what identity says. Errors: errs.ErrUnavailable.
func (r *Roles) IsAdmin(ctx context.Context, uid string) (bool, error) {
	if user, ok := r.view.Users.Current(uid); ok && user.GetAdmin() {
		return true, nil
	}
	user, err := r.view.Users.Ask(ctx, uid)
	if unknown(err) { // a member of a provider that is not ours
		return false, nil
	}
	if err != nil {
		return false, errs.ErrUnavailable.Because(fmt.Errorf("identity on %s: %w", uid, err))
	}
	return user.GetAdmin(), nil
}

// Entitled answers a member's entitlements when the one that is needed is among them; any one
// where none is named. Errors: auth.ErrNotEntitled, errs.ErrUnavailable.
func (r *Roles) Entitled(ctx context.Context, uid, entitlement string) ([]string, error) {
	if account, ok := r.view.Accounts.Current(uid); ok && holds(account.GetSubscription().GetEntitlements(), entitlement) {
		return account.GetSubscription().GetEntitlements(), nil
	}
	account, err := r.view.Accounts.Ask(ctx, uid)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(fmt.Errorf("billing on %s: %w", uid, err))
	}
	held := account.GetSubscription().GetEntitlements()
	if !holds(held, entitlement) {
		return nil, auth.ErrNotEntitled
	}
	return held, nil
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
