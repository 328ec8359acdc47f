package export

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/platform/auth"
)

const (
	// pageSize and maxPages bound each list to 20,000 rows: some fifteen meditations a day for four years.
	pageSize, maxPages = 100, 200
	// looksAtOnce is how many recordings are measured together.
	looksAtOnce = 8
)

var errTooLong = errors.New("a list is longer than a copy may be")

// record is everything of a member.
type record struct {
	user        *identityv1.GetUserResponse
	consents    *identityv1.GetConsentsResponse
	apps        *identityv1.ListAppConsentsResponse
	devices     *identityv1.ListDevicesResponse
	passkeys    *identityv1.ListPasskeysResponse
	secondStep  *identityv1.GetSecondStepResponse
	account     *billingv1.GetAccountResponse
	referrals   *billingv1.GetReferralsResponse
	ledger      []*billingv1.LedgerEntry
	orders      []*billingv1.Order
	basket      *basketv1.GetBasketResponse
	kept        *contentv1.ListKeptResponse
	places      *contentv1.ExportPlacesResponse
	courses     *contentv1.ExportCoursesResponse
	diary       *contentv1.ListEntriesResponse
	letters     *mailv1.GetPreferencesResponse
	meditations []*meditation
	shares      []*generationv1.Share
	drafts      *generationv1.ListDraftsResponse
}

// meditation is one with what was spoken.
type meditation struct {
	*generationv1.Meditation
	script *generationv1.Script
	// bytes of its sound; 0 without a recording.
	bytes int64
}

// gather reads a member's record from all services together.
func (e *Exports) gather(ctx context.Context, uid, sid string) (*archive, error) {
	ctx, cancel := context.WithTimeout(auth.WithMember(ctx, uid), gatherTime)
	defer cancel()
	r := &record{}
	all, ctx := errgroup.WithContext(ctx)
	for _, read := range []func(context.Context) error{
		one(&r.user, e.Clients.Users.GetUser, &identityv1.GetUserRequest{}),
		one(&r.consents, e.Clients.Consents.GetConsents, &identityv1.GetConsentsRequest{}),
		one(&r.apps, e.Clients.Apps.ListAppConsents, &identityv1.ListAppConsentsRequest{}),
		one(&r.devices, e.Clients.Devices.ListDevices, &identityv1.ListDevicesRequest{Sid: sid}),
		one(&r.passkeys, e.Clients.Passkeys.ListPasskeys, &identityv1.ListPasskeysRequest{}),
		one(&r.secondStep, e.Clients.SecondStep.GetSecondStep, &identityv1.GetSecondStepRequest{}),
		one(&r.account, e.Clients.Accounts.GetAccount, &billingv1.GetAccountRequest{}),
		one(&r.referrals, e.Clients.Referrals.GetReferrals, &billingv1.GetReferralsRequest{}),
		one(&r.drafts, e.Clients.Drafts.ListDrafts, &generationv1.ListDraftsRequest{}),
		one(&r.basket, e.Clients.Baskets.GetBasket, &basketv1.GetBasketRequest{}),
		one(&r.kept, e.Clients.Items.ListKept, &contentv1.ListKeptRequest{}),
		one(&r.places, e.Clients.Places.ExportPlaces, &contentv1.ExportPlacesRequest{}),
		one(&r.courses, e.Clients.Courses.ExportCourses, &contentv1.ExportCoursesRequest{}),
		one(&r.letters, e.Clients.Preferences.GetPreferences, &mailv1.GetPreferencesRequest{}),
		func(ctx context.Context) error { return e.diary(ctx, r) },
		list(&r.ledger, func(ctx context.Context, token string) ([]*billingv1.LedgerEntry, string, error) {
			res, err := e.Clients.Ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid, PageSize: pageSize, PageToken: token})
			return res.GetEntries(), res.GetNextPageToken(), err
		}),
		list(&r.orders, func(ctx context.Context, token string) ([]*billingv1.Order, string, error) {
			res, err := e.Clients.Orders.ListOrders(ctx, &billingv1.ListOrdersRequest{PageSize: pageSize, PageToken: token})
			return res.GetOrders(), res.GetNextPageToken(), err
		}),
		list(&r.shares, func(ctx context.Context, token string) ([]*generationv1.Share, string, error) {
			res, err := e.Clients.Shares.ListShares(ctx, &generationv1.ListSharesRequest{PageSize: pageSize, PageToken: token})
			for _, s := range res.GetShares() {
				s.Token = "" // who finds the copy could follow the link
			}
			return res.GetShares(), res.GetNextPageToken(), err
		}),
		func(ctx context.Context) error { return e.meditations(ctx, r) },
	} {
		all.Go(func() error { return read(ctx) })
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	return newArchive(r, e.Now())
}

// one reads a single answer.
func one[I, O any](to **O, call func(context.Context, *I) (*O, error), request *I) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		*to, err = call(ctx, request)
		return err
	}
}

// list reads all pages of a list. Errors: errTooLong.
func list[T any](to *[]T, page func(ctx context.Context, token string) ([]T, string, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		token := ""
		for range maxPages {
			rows, next, err := page(ctx, token)
			if err != nil {
				return err
			}
			*to = append(*to, rows...)
			if token = next; token == "" {
				return nil
			}
		}
		return errTooLong
	}
}

// diary reads all of it, as one page.
func (e *Exports) diary(ctx context.Context, r *record) error {
	all := &contentv1.ListEntriesResponse{}
	err := list(&all.Entries, func(ctx context.Context, token string) ([]*contentv1.DiaryEntry, string, error) {
		res, err := e.Clients.Diary.ListEntries(ctx, &contentv1.ListEntriesRequest{PageSize: pageSize, PageToken: token})
		all.Keeping, all.Full = res.GetKeeping(), res.GetFull()
		return res.GetEntries(), res.GetNextPageToken(), err
	})(ctx)
	r.diary = all
	return err
}

// meditations reads them with their scripts, and how much sound there is of each.
func (e *Exports) meditations(ctx context.Context, r *record) error {
	err := list(&r.meditations, func(ctx context.Context, token string) (rows []*meditation, next string, err error) {
		res, err := e.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: pageSize, PageToken: token, WithScripts: true, Filter: generationv1.MeditationFilter_MEDITATION_FILTER_ALL})
		for i, m := range res.GetMeditations() {
			row := &meditation{Meditation: m}
			if i < len(res.GetScripts()) {
				row.script = res.GetScripts()[i]
			}
			rows = append(rows, row)
		}
		return rows, res.GetNextPageToken(), err
	})(ctx)
	if err != nil {
		return err
	}
	looks, ctx := errgroup.WithContext(ctx)
	looks.SetLimit(looksAtOnce)
	for _, m := range r.meditations {
		if m.GetStage() == generationv1.Stage_STAGE_READY {
			looks.Go(func() error { return e.measure(ctx, m) })
		}
	}
	return looks.Wait()
}

// measure asks generation for the size of a recording, in bytes. The copy is made without a recording that is lost.
func (e *Exports) measure(ctx context.Context, m *meditation) error {
	res, err := e.sound(ctx, http.MethodHead, m)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return nil
	case res.StatusCode != http.StatusOK || res.ContentLength <= 0:
		return fmt.Errorf("the sound of %s: %s, %d bytes", m.GetId(), res.Status, res.ContentLength)
	}
	m.bytes = res.ContentLength
	return nil
}

// sound asks for a recording.
func (e *Exports) sound(ctx context.Context, method string, m *meditation) (*http.Response, error) {
	asked, err := http.NewRequestWithContext(ctx, method, "/", nil)
	if err != nil {
		return nil, err
	}
	asked, err = e.Clients.Audio(asked, "/v1/meditations/"+m.GetId()+"/audio")
	if err != nil {
		return nil, err
	}
	return e.Clients.HTTP().Do(asked)
}
