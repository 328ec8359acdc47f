package stripe

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

const (
	// pageSize is the largest that the provider allows.
	pageSize = 100
	// maxEvents is how many events one call gives, the oldest ones; a caller that gets so many asks again from the last.
	maxEvents = 1000
)

// Events reads all pages, since the provider lists the newest first.
func (p *Provider) Events(ctx context.Context, since time.Time) ([]sales.Event, error) {
	params := &stripe.EventListParams{
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}, Types: stripe.StringSlice(sales.EventTypes()),
	}
	params.Limit = stripe.Int64(pageSize)
	var found []sales.Event
	for event, err := range p.client.V1Events.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, fault("list events", err)
		}
		found = append(found, readEvent(event))
	}
	slices.Reverse(found)
	return found[:min(len(found), maxEvents)], nil
}

func readEvent(from *stripe.Event) sales.Event {
	read := sales.Event{ID: from.ID, Type: string(from.Type), CreatedAt: at(from.Created), Live: from.Livemode, Account: from.Account}
	if from.Data == nil {
		return read
	}
	var about struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Payment string `json:"payment_intent"`
		Parent  struct {
			Details struct {
				Subscription string `json:"subscription"`
			} `json:"subscription_details"`
		} `json:"parent"`
	}
	// What it is about is fetched anyway: fields of another shape than these are left empty.
	_ = json.Unmarshal(from.Data.Raw, &about)
	read.Object, read.ObjectID = about.Object, about.ID
	switch about.Object {
	case "charge", "refund", "dispute":
		read.Payment = about.Payment
	case "subscription":
		read.Subscription = about.ID
	case "invoice":
		read.Subscription = about.Parent.Details.Subscription
	}
	return read
}
