// Package view keeps, in this process, what every page shows of a member: account, role and consents, and the number beside My Journey.
// So a page needs no hop to a service.
//
// It owns the rule of how old that may be. It shows a service's answer for Wrong, 2 s, without any further evidence: a change cannot be
// older than the answer. It shows the answer longer while the service's events arrive: each event drops what is known of its member, and
// the relay's watermarks say up to which moment every change has arrived. Without a watermark, or when one is missed or late, Wrong is
// the limit again. The services say beforehand what time alone will change. An answer that was asked for before a drop is not kept after
// it.
//
// The view is never the truth: it decides and changes nothing, nothing outlives the process, and what an event says is never applied.
// Clocks of the services' machines may differ by some tenths of a second; that difference is added to Wrong.
package view

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/metric"
	"golang.org/x/sync/errgroup"

	"serein.app/gateway/internal/upstream"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/deadline"
)

// askTime bounds one question to a service.
var askTime = deadline.Of(2 * time.Second)

// View is what pages show of members. One a process.
type View struct {
	Users    *Part[*identityv1.User]
	Accounts *Part[*billingv1.GetAccountResponse]
	// Journeys and Saved are together the number beside My Journey: the member's own meditations that can be heard and are not
	// marked deleted, and those of the library that they keep.
	Journeys, Saved *Part[int32]

	sources []*Source
}

// New makes an empty view.
func New(c *upstream.Clients, meter metric.Meter, now func() time.Time) (*View, error) {
	identity, billing, generation := NewSource(upstream.Identity, now), NewSource(upstream.Billing, now), NewSource(upstream.Generation, now)
	content := NewSource(upstream.Content, now)
	content.shared = true // what an editor takes from readers goes from everybody's number
	v := &View{sources: []*Source{identity, billing, generation, content}}
	var err error
	if v.Users, err = NewPart("user", identity, bounded(func(ctx context.Context) (*identityv1.User, time.Time, error) {
		res, err := c.Users.GetUser(ctx, &identityv1.GetUserRequest{})
		return res.GetUser(), time.Time{}, err
	}), meter, now); err != nil {
		return nil, err
	}
	if v.Accounts, err = NewPart("account", billing, bounded(func(ctx context.Context) (*billingv1.GetAccountResponse, time.Time, error) {
		res, err := c.Accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
		return res, moment(res.GetChangesAt()), err
	}), meter, now); err != nil {
		return nil, err
	}
	if v.Journeys, err = NewPart("journey", generation, bounded(func(ctx context.Context) (int32, time.Time, error) {
		res, err := c.Meditations.CountMeditations(ctx, &generationv1.CountMeditationsRequest{})
		return res.GetTotal(), time.Time{}, err
	}), meter, now); err != nil {
		return nil, err
	}
	v.Saved, err = NewPart("saved", content, bounded(func(ctx context.Context) (int32, time.Time, error) {
		res, err := c.Items.CountSaved(ctx, &contentv1.CountSavedRequest{})
		return res.GetIntroductions() + res.GetLibrary(), time.Time{}, err
	}), meter, now)
	return v, errors.Join(err, observe(v.sources, meter))
}

// bounded asks as the member, for askTime at most.
func bounded[T any](ask func(context.Context) (T, time.Time, error)) Asker[T] {
	return func(ctx context.Context, uid string) (T, time.Time, error) {
		ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), askTime)
		defer cancel()
		return ask(ctx)
	}
}

func moment(t interface {
	IsValid() bool
	AsTime() time.Time
},
) time.Time {
	if !t.IsValid() {
		return time.Time{}
	}
	return t.AsTime()
}

// Acted forgets what is known of a member who has just changed something: what follows is asked for.
func (v *View) Acted(uid string) {
	v.Users.Drop(uid)
	v.Accounts.Drop(uid)
	v.Journeys.Drop(uid)
	v.Saved.Drop(uid)
}

// Follow hears of the services' changes until ctx ends.
func (v *View) Follow(ctx context.Context, b *bus.Bus) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, s := range v.sources {
		all.Go(func() error { return b.Follow(ctx, s.follower()) })
	}
	return all.Wait()
}
