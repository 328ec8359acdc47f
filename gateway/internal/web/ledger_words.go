package web

import (
	"fmt"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// The words of the ledger that need no number and no name.
const (
	wordsHeld            = "Reserved while it’s being made"
	wordsMeditation      = "A meditation" // whose title nobody knows
	wordsExpired         = "Unused plan credits expired"
	wordsExpiredAt       = "Their period was over"
	wordsExpiredHeld     = "They were reserved for a meditation until after their period ended"
	wordsTrialEnded      = "Your free trial ended"
	wordsCorrected       = "Corrected by Serein"
	wordsNoneToCorrect   = "Corrected by Serein, with nothing left to take"
	wordsPlanEnded       = "Plan ended by Serein"
	wordsFriendJoined    = "A friend joined with your code"
	wordsJoined          = "You joined with a friend’s code"
	wordsRewardTakenBack = "A reward was taken back"
	wordsFriendRefunded  = "The membership that it was for was refunded"
	wordsRewardUsed      = "The membership that it was for was refunded. Nothing was left of it, so nothing was taken"
	wordsToppedUp        = "You topped up"
	wordsWentBack        = "Your payment went back, and these credits with it"
	wordsAdded           = "Credits were added"
	wordsTrialAnew       = "Free trial began again"
	wordsTakenBack       = "Credits were taken back"
	wordsNotPaid         = "The payment didn’t go through. Your credits haven’t changed"
)

// words are the title of a change and its small print.
func (l ledger) words(g group) (title, detail string) {
	e := g.newer
	switch e.GetKind() {
	case kindSpend:
		return l.titleOf(meditationOf(e.GetReference())), l.spent(g)
	case kindRefund:
		return l.titleOf(meditationOf(e.GetReference())), refundMessage(int32(e.GetChange() + g.older.GetChange()))
	case kindExpiry:
		return expired(e)
	case kindRelease:
		return l.titleOf(meditationOf(e.GetReference())), l.released(e)
	case kindFailedRenewal:
		return e.GetDescription() + " was not renewed", wordsNotPaid
	case kindCorrection:
		return wordsNoneToCorrect, e.GetDescription()
	case kindPlanEnd:
		return wordsPlanEnded, e.GetDescription()
	case kindRewardTaken:
		return wordsRewardTakenBack, wordsRewardUsed
	}
	if e.GetCause() == causeOperator {
		return corrected(e), e.GetDescription()
	}
	if e.GetKind() == kindReversal {
		return reversed(e)
	}
	return granted(g)
}

// corrected says what an operator did. Corrections add top-up credits alone; plan credits come of a trial that an admin restarts.
func corrected(e *billingv1.LedgerEntry) string {
	if e.GetKind() == kindGrant && e.GetPool() == billingv1.Pool_POOL_PLAN {
		return wordsTrialAnew
	}
	return wordsCorrected
}

// titleOf a meditation.
func (l ledger) titleOf(id string) string {
	if title := l.meditations[id].GetTitle(); title != "" {
		return title
	}
	return wordsMeditation
}

// spent says what credits went for and whence: "Immersive, from your plan".
func (l ledger) spent(g group) string {
	from := "from your plan"
	switch {
	case g.older != nil:
		from = "from your plan and your top-up credits"
	case g.newer.GetPool() == billingv1.Pool_POOL_TOP_UP:
		from = "from your top-up credits"
	}
	m := l.meditations[meditationOf(g.newer.GetReference())]
	switch {
	case m == nil:
		return "F" + from[1:]
	case m.GetImmersive():
		return "Immersive, " + from
	}
	return "Voice only, " + from
}

// released says why credits that were held are free again: "Could not be made, so 2 were released". Of a meditation that is gone
// nobody knows whether its member stopped it.
func (l ledger) released(e *billingv1.LedgerEntry) string {
	credits := ofCredits(e.GetPlanCredits()+e.GetTopUpCredits(), "was released", "were released")
	switch l.meditations[meditationOf(e.GetReference())].GetStage() { //nolint:exhaustive // one that goes on, or was made, holds its credits or has spent them
	case generationv1.Stage_STAGE_CANCELLED:
		return "You stopped it, so " + credits
	case generationv1.Stage_STAGE_FAILED:
		return "Could not be made, so " + credits
	}
	return "Was not made, so " + credits
}

// expired are the words of credits that were left and whose time was over.
func expired(e *billingv1.LedgerEntry) (title, detail string) {
	switch {
	case e.GetReference() != "":
		return wordsExpired, wordsExpiredHeld
	case e.GetCause() == causeTrial:
		return wordsTrialEnded, ofCredits(-e.GetChange(), "unused credit expired", "unused credits expired")
	case e.GetCause() == causeOperator && e.GetDescription() != "" && e.GetDescription() != wordsExpired:
		return wordsPlanEnded, e.GetDescription() // the operator's reason
	}
	return wordsExpired, wordsExpiredAt
}

// reversed are the words of credits whose money went back.
func reversed(e *billingv1.LedgerEntry) (title, detail string) {
	switch {
	case e.GetCause() == causeReferral || e.GetCause() == causeInvitation:
		return wordsRewardTakenBack, wordsFriendRefunded
	case e.GetDescription() == "":
		return wordsTakenBack, wordsWentBack
	}
	return e.GetDescription() + " refunded", wordsWentBack
}

// granted are the words of credits that were added.
func granted(g group) (title, detail string) {
	e := g.newer
	switch e.GetCause() {
	case causeTrial:
		return "Free trial began", ofCredits(e.GetChange(), "credit to begin with", "credits to begin with")
	case causeSubscription:
		return period(g), replaced(g)
	case causeChange:
		return "Changed to " + e.GetDescription(), replaced(g)
	case causeOrder:
		return wordsToppedUp, ofCredits(e.GetChange(), "credit that never expires", "credits that never expire")
	case causeReferral:
		return wordsFriendJoined, rewarded(e)
	case causeInvitation:
		return wordsJoined, rewarded(e)
	}
	if e.GetDescription() == "" {
		return wordsAdded, ""
	}
	return e.GetDescription(), ""
}

// period names a plan's paid period: what it takes the place of says whether it is the first. Where nothing was left of what was
// before, nothing says so.
func period(g group) string {
	name := g.newer.GetDescription()
	switch g.older.GetCause() {
	case causeSubscription, causeChange:
		return name + " renewed"
	case causeTrial, causeOperator:
		return name + " began"
	}
	return name + " paid"
}

func rewarded(e *billingv1.LedgerEntry) string {
	return fmt.Sprintf("%d for each of you, and they never expire", e.GetChange())
}

// replaced says what became of the plan credits: "2 unused plan credits were replaced with 20".
func replaced(g group) string {
	if g.older == nil {
		return ofCredits(g.newer.GetChange(), "plan credit", "plan credits")
	}
	what := ofCredits(-g.older.GetChange(), "unused plan credit was", "unused plan credits were")
	if g.older.GetCause() == causeTrial {
		what = ofCredits(-g.older.GetChange(), "unused trial credit was", "unused trial credits were")
	}
	return fmt.Sprintf("%s replaced with %d", what, g.newer.GetChange())
}

func ofCredits(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
