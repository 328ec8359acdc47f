// Package plans is the catalogue of plans and what a subscription to one of them opens.
//
// It refuses to know any single plan: what a plan is is said by its kind and its entitlements,
// never by its id or its name, so that an editor can change the catalogue without a release.
package plans

import "time"

// Kind is what sort of plan it is.
type Kind string

// The kinds.
const (
	// Trial is the one free trial.
	Trial Kind = "trial"
	// Member is a membership with everything.
	Member Kind = "member"
	// Generate is bespoke meditations alone.
	Generate Kind = "generate"
	// Enquiry is not bought online.
	Enquiry Kind = "enquiry"
)

// Day is what trials are counted in: 24 hours, whatever the clocks of the season do.
const Day = 24 * time.Hour

// Plan is one card of the catalogue.
type Plan struct {
	ID, Name string
	Kind     Kind
	// Order of the cards, lowest first.
	Order int32
	// Badge is empty for none.
	Badge       string
	Description string
	// Features are the lines of the card.
	Features []string
	// Entitlements are what a subscription opens: generator, library, articles, journey, top_up.
	Entitlements []string
	// Monthly and Yearly are nil where the plan is not sold for that period.
	Monthly, Yearly *Price
	// TrialDays, InvitedTrialDays (for who comes by an invite) and TrialCredits are zero but
	// for the trial.
	TrialDays, InvitedTrialDays int32
	TrialCredits                int64
}

// Price is what one period costs and grants.
type Price struct {
	// Amount in minor units of Currency, an ISO 4217 code in lower case.
	Amount   int64
	Currency string
	Credits  int64
}
