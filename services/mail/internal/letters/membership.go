package letters

import "time"

// Membership is what became of a trial or a membership, as far as its letter tells it; what it does not tell is zero.
type Membership struct {
	// Plan is the name of the plan and Period "month" or "year"; Former ones were before a change.
	Plan         string `json:"plan,omitempty"`
	Period       string `json:"period,omitempty"`
	FormerPlan   string `json:"former_plan,omitempty"`
	FormerPeriod string `json:"former_period,omitempty"`
	// Started is when the trial began, At when it, the period, the access or the plan's credits end, Retry when a payment is
	// tried again.
	Started time.Time `json:"started,omitzero"`
	At      time.Time `json:"at,omitzero"`
	Retry   time.Time `json:"retry,omitzero"`
	// Amount was charged or is due; below 0 it is credited to the next payments. NextAmount is what the next period costs.
	Amount     int64 `json:"amount,omitempty"`
	NextAmount int64 `json:"next_amount,omitempty"`
	// Cost less Unused is the amount of a change: what the plan costs, and what was paid before and not used. Both are 0 where it is more.
	Cost     int64  `json:"cost,omitempty"`
	Unused   int64  `json:"unused,omitempty"`
	Currency string `json:"currency,omitempty"`
	Credits  int64  `json:"credits,omitempty"`
	// Notice of a failed payment is 1, 2 or 3.
	Notice int32 `json:"notice,omitempty"`
	// Reason of an end is "cancelled", "unpaid" or "operator".
	Reason string `json:"reason,omitempty"`
	// Invited: it came of an invitation. Friend: the reader is the one who was invited. TopUp: the plan lets them buy credits.
	Invited bool `json:"invited,omitempty"`
	Friend  bool `json:"friend,omitempty"`
	TopUp   bool `json:"top_up,omitempty"`
}

// Title is the plan in words, FormerTitle the one before.
func (m Membership) Title() string       { return planTitle(m.Plan, m.Period) }
func (m Membership) FormerTitle() string { return planTitle(m.FormerPlan, m.FormerPeriod) }

func planTitle(name, period string) string {
	switch period {
	case "year":
		return name + " (yearly)"
	case "month":
		return name + " (monthly)"
	}
	return name
}

// Charged says that a change cost something, Credited that it left something for the next payments.
func (m Membership) Charged() bool  { return m.Amount > 0 }
func (m Membership) Credited() bool { return m.Amount < 0 }

// Left is what a change left for the next payments.
func (m Membership) Left() int64 { return -m.Amount }

func (m *Membership) check() error {
	if m == nil {
		return nil
	}
	if m.Amount != 0 && !currencies.MatchString(m.Currency) {
		return ErrText.On("currency")
	}
	return checkLines(map[string]string{
		"plan": m.Plan, "period": m.Period, "former_plan": m.FormerPlan, "former_period": m.FormerPeriod, "reason": m.Reason,
	})
}

// Invite is a member's invitation of a friend. Code is the member's, TrialDays what a friend gets.
type Invite struct {
	Inviter   string `json:"inviter,omitempty"`
	Friend    string `json:"friend,omitempty"`
	Code      string `json:"code"`
	TrialDays int32  `json:"trial_days"`
}

func (i *Invite) check() error {
	if i == nil {
		return nil
	}
	if i.Code == "" || i.TrialDays < 1 {
		return ErrText.On("code")
	}
	return checkLines(map[string]string{"inviter": i.Inviter, "friend_name": i.Friend, "code": i.Code})
}
