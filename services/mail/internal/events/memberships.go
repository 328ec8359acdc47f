package events

import (
	"encoding/hex"
	"fmt"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/erasure"
)

// Why a membership has ended, as billing names it.
const (
	endedAsWished  = "cancelled"
	endedUnpaid    = "unpaid"
	endedRefunded  = "refund"
	endedByUs      = "operator"
	endedUntoldWhy = ""
)

func trialStarted(a about, e *eventsv1.TrialStarted) (mailing, error) {
	return mailing{ours: &letters.Letter{
		// It stays when the member has left: it is ours.
		Key: "trial_started:" + hex.EncodeToString(erasure.Fingerprint(a.uid)), Template: letters.TrialStarted,
		Data: letters.Data{Membership: &letters.Membership{
			Started: e.GetStartsAt().AsTime(), At: e.GetEndsAt().AsTime(), Credits: e.GetCredits(), Invited: e.GetInvited(),
		}},
	}}, nil
}

func trialEnding(a about, e *eventsv1.TrialEnding) (mailing, error) {
	ends := e.GetEndsAt().AsTime()
	return mailing{letter: &letters.Letter{
		Key: fmt.Sprintf("trial_ending:%s:%d", a.uid, ends.Unix()), Template: letters.TrialEnding, ExpiresAt: ends,
		Topic: letters.Topic(letters.OfTrial, a.uid),
		Data:  letters.Data{Membership: &letters.Membership{At: ends, Credits: e.GetAvailable()}},
	}}, nil
}

// paymentFailed is one of three letters of a period that is not paid, of use while everything is still open.
func paymentFailed(a about, e *eventsv1.SubscriptionPaymentFailed) (mailing, error) {
	if n := e.GetNotice(); n < 1 || n > 3 {
		return mailing{}, fmt.Errorf("subscription %s: there is no letter for notice %d", e.GetSubscriptionId(), n)
	}
	m := &letters.Membership{
		Plan: letters.OneLine(e.GetPlanName()), At: e.GetAccessUntil().AsTime(), Amount: e.GetAmount(), Currency: e.GetCurrency(), Notice: e.GetNotice(),
	}
	if e.GetNextAttempt() != nil {
		m.Retry = e.GetNextAttempt().AsTime()
	}
	return mailing{letter: &letters.Letter{
		Key:      fmt.Sprintf("payment_failed:%s:%d:%d", e.GetSubscriptionId(), e.GetPeriodEndedAt().GetSeconds(), e.GetNotice()),
		Template: letters.PaymentFailed, ExpiresAt: m.At, Topic: letters.Topic(letters.OfPayment, a.uid), Data: letters.Data{Membership: m},
	}}, nil
}

// renewed leaves the letter to the order of the same period where there is one; where the member's credit paid, nothing was charged
// and there is none. In any case a card that was to be mended is not to be any more.
func renewed(a about, e *eventsv1.SubscriptionRenewed) (mailing, error) {
	m := mailing{overtakes: []string{letters.Topic(letters.OfPayment, a.uid), letters.Topic(letters.OfCredits, a.uid)}}
	if e.GetOrderId() == "" {
		m.letter = &letters.Letter{
			Key:      fmt.Sprintf("renewed:%s:%d", e.GetSubscriptionId(), e.GetPeriodEndsAt().GetSeconds()),
			Template: letters.RenewedByCredit, Data: letters.Data{Membership: &letters.Membership{At: e.GetPeriodEndsAt().AsTime()}},
		}
	}
	return m, nil
}

// planChanged is of the plan that it is by now: what a change cost stands in a receipt.
func planChanged(a about, e *eventsv1.SubscriptionChanged) (mailing, error) {
	return mailing{
		overtakes: []string{letters.Topic(letters.OfCredits, a.uid)},
		letter: &letters.Letter{
			Key: fmt.Sprintf("plan_changed:%s:%s", e.GetSubscriptionId(), e.GetChangeId()), Template: letters.PlanChanged,
			Topic: letters.Topic(letters.OfPlan, a.uid),
			Data: letters.Data{Membership: &letters.Membership{
				FormerPlan: letters.OneLine(e.GetFromName()), FormerPeriod: e.GetFromPeriod(),
				Plan: letters.OneLine(e.GetToName()), Period: e.GetToPeriod(), Amount: e.GetAmount(), Currency: e.GetCurrency(),
				Cost: e.GetPlanAmount(), Unused: e.GetUnusedAmount(), At: e.GetPeriodEndsAt().AsTime(), NextAmount: e.GetNextAmount(), Credits: e.GetPlanCredits(),
			}},
		},
	}, nil
}

// cancellation and reactivation may follow each other as often as the member likes: each is a letter, and only the newest is sent.
func cancellation(a about, e *eventsv1.SubscriptionCancellationScheduled) (mailing, error) {
	ends := e.GetEndsAt().AsTime()
	return mailing{letter: &letters.Letter{
		Key: "cancellation:" + a.id, Template: letters.Cancellation, ExpiresAt: ends, Topic: letters.Topic(letters.OfEnd, a.uid),
		Data: letters.Data{Membership: &letters.Membership{Plan: letters.OneLine(e.GetPlanName()), At: ends}},
	}}, nil
}

func reactivated(a about, e *eventsv1.SubscriptionReactivated) (mailing, error) {
	renews := e.GetPeriodEndsAt().AsTime()
	return mailing{letter: &letters.Letter{
		Key: "reactivated:" + a.id, Template: letters.Reactivated, ExpiresAt: renews, Topic: letters.Topic(letters.OfEnd, a.uid),
		Data: letters.Data{Membership: &letters.Membership{Plan: letters.OneLine(e.GetPlanName()), At: renews}},
	}}, nil
}

// ended writes the letter of a membership that is over. If the membership was refunded, the refund's letter has said it all. Events
// of earlier releases carry no reason; they were published for refunds alone.
func ended(a about, e *eventsv1.SubscriptionCancelled) (mailing, error) {
	m := mailing{overtakes: []string{
		letters.Topic(letters.OfCredits, a.uid), letters.Topic(letters.OfEnd, a.uid), letters.Topic(letters.OfPayment, a.uid),
		letters.Topic(letters.OfPlan, a.uid),
	}}
	switch why := e.GetReason(); why {
	case endedAsWished, endedUnpaid, endedByUs:
		m.letter = &letters.Letter{
			Key: "ended:" + e.GetSubscriptionId(), Template: letters.Ended,
			Data: letters.Data{Membership: &letters.Membership{Plan: letters.OneLine(e.GetPlanName()), Reason: why}},
		}
	case endedRefunded, endedUntoldWhy:
	default:
		return m, fmt.Errorf("subscription %s ended for a reason that no letter tells of: %q", e.GetSubscriptionId(), why)
	}
	return m, nil
}

func rewarded(a about, e *eventsv1.ReferralRewarded) (mailing, error) {
	return mailing{
		overtakes: []string{letters.Topic(letters.OfCredits, a.uid)},
		letter: &letters.Letter{
			Key: "reward:" + a.id, Template: letters.Reward,
			Data: letters.Data{Membership: &letters.Membership{Credits: e.GetCredits(), Friend: e.GetFriend()}},
		},
	}, nil
}

func takenBack(a about, e *eventsv1.ReferralTakenBack) (mailing, error) {
	return mailing{letter: &letters.Letter{
		Key: "reward_taken_back:" + a.id, Template: letters.RewardTakenBack,
		Data: letters.Data{Membership: &letters.Membership{Credits: e.GetCredits()}},
	}}, nil
}

// lowBalance is of use for a day: by then they have been bought, granted or spent.
func lowBalance(a about, e *eventsv1.CreditsLow) (mailing, error) {
	m := &letters.Membership{Credits: e.GetAvailable(), TopUp: e.GetTopUp()}
	if e.GetReplacedAt() != nil {
		m.At = e.GetReplacedAt().AsTime()
	}
	return mailing{letter: &letters.Letter{
		Key: "low_balance:" + a.uid.String() + ":" + e.GetGrant(), Template: letters.LowBalance, ExpiresAt: a.at.Add(lowBalanceLife),
		Topic: letters.Topic(letters.OfCredits, a.uid), Data: letters.Data{Membership: m},
	}}, nil
}
