package meditation

import (
	"errors"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/brief"
	"serein.app/services/platform/errs"
)

// The refusals of this service.
var (
	// ErrNotFound also answers for another member's meditation.
	ErrNotFound             = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND, "There is no such meditation.")
	ErrUnknownType          = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TYPE, "Please choose a meditation type from the list.").On("type_id")
	ErrUnknownPractice      = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_PRACTICE, "Please choose a practice from the list.").On("practice_id")
	ErrUnknownSize          = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_SIZE, "Please choose one of the three sizes.").On("size_id")
	ErrUnknownTrack         = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TRACK, "Please choose a sound from the list, or none.").On("track_id")
	ErrUnknownNarrator      = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, "Please choose a narrator from the list, or none.").On("narrator_id")
	ErrNarratorOutside      = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, "Please choose one of Serein’s own narrators. This one speaks outside Serein, where you don’t want this meditation to go.").On("narrator_id")
	ErrUnknownLanguage      = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_LANGUAGE, "Meditations are spoken in British English, en-GB.").On("language")
	ErrLocalDate            = errs.New(errs.Invalid, errorsv1.Reason_REASON_LOCAL_DATE_INVALID, "That isn’t a date.").On("local_date")
	ErrIdempotencyKeyReused = errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, "This request was already used for another meditation.").On("idempotency_key")
	ErrTooManyGenerations   = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_GENERATIONS, "You already have three meditations being made. Please wait until one is ready.")
	ErrCancelTerms          = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CANCEL_TERMS_CHANGED, "More of it has been recorded since, so cancelling means something different now. Nothing has happened yet.").On("accepted_price")
	ErrUnfinished           = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_UNFINISHED, "Only a finished meditation can be renamed or deleted. One that is being made can be stopped.")
	ErrMarked               = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_MARKED, "This meditation is among the recently deleted ones already. It can be recovered there.")
	ErrNotMarked            = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_NOT_MARKED, "This meditation is not deleted, so there is nothing to recover.")
	ErrDeleted              = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_DELETED, "This meditation was deleted for good: the time to recover it is over.")
	ErrUnshareable          = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_MEDITATION_UNFINISHED, "Only a finished meditation can be shared.")
	// ErrShareNotFound answers for a link that was ended as for one that never was.
	ErrShareNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_SHARE_NOT_FOUND, "This link doesn’t lead anywhere. It may have been ended.")
	ErrDraftNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_DRAFT_NOT_FOUND, "This script isn’t here any more. Scripts are kept for a day.")
	ErrDraftChanged  = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_DRAFT_CHANGED, "This script has changed in the meantime. Please look at it again.").On("revision")
	ErrDraftUnfit    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_DRAFT_UNFIT, "Something in this script still needs your attention. You weren’t charged.").On("draft_id")
	ErrTooManyDrafts = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_DRAFTS, "You have three scripts waiting to be read. Narrate one, or let one go, and then begin another.")
	ErrRewritesSpent = errs.New(errs.Exhausted, errorsv1.Reason_REASON_DRAFT_REWRITES_SPENT, "That was our thirtieth new line for this script. You can still write your own.")
	ErrLineAlone     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_DRAFT_LINE_ALONE, "We have no other line that fits here. You can write your own.").On("line")
	ErrLineNotFound  = errs.New(errs.NotFound, errorsv1.Reason_REASON_DRAFT_LINE_NOT_FOUND, "This script has no such line.").On("line")
	ErrWriting       = errs.New(errs.Unavailable, errorsv1.Reason_REASON_TRY_AGAIN, "We couldn’t write this one just now. You weren’t charged. Please try again.")
	// ErrBusy is refused with the time after which there is room again: see busy.
	ErrBusy        = errs.New(errs.Exhausted, errorsv1.Reason_REASON_GENERATION_BUSY, "The studio is full. Please try again in a while.")
	ErrBillingAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_BILLING_UNAVAILABLE, "We couldn’t check your credits. You weren’t charged. Please try again.")
	ErrTryAgain    = errs.New(errs.Unavailable, errorsv1.Reason_REASON_TRY_AGAIN, "That didn’t go through, and you weren’t charged. Please try again.")
	ErrStopping    = errs.New(errs.Unavailable, errorsv1.Reason_REASON_STOPPING, "Serein is restarting. Your meditation is still being made.")
)

// refusedLines are what is said of a line that a member has written and that is not kept.
var refusedLines = map[brief.LineFault]error{
	brief.LineEmpty:       errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_REQUIRED, "Write a few words, or leave the line out.").On("text"),
	brief.LineLong:        errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_TOO_LONG, "This is too long for one line. Shorter sentences are easier to hear.").On("text"),
	brief.LineProfane:     errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_PROFANE, "A line must not contain profanities.").On("text"),
	brief.LineUnspeakable: errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_UNSPEAKABLE, "A narrator can’t say this. Please use plain words, without digits, brackets or capitals throughout.").On("text"),
	brief.LineUnsafe:      errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_UNSAFE, "We don’t narrate this, because it could do harm: it speaks of death or injury, of medicine, or of holding the breath.").On("text"),
	brief.LineUnfit:       errs.New(errs.Invalid, errorsv1.Reason_REASON_DRAFT_LINE_UNFIT, "This doesn’t belong in this meditation. Please put it another way.").On("text"),
	// The sentence is for those who show no words of care themselves.
	brief.LineCrisis: errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_DRAFT_LINE_NEEDS_CARE,
		"You matter, and you need not be alone with this: in the UK call Samaritans free on 116 123, day or night, or 999 in danger. Nothing was charged.").On("text"),
}

// ErrLost says that the worker no longer owns the work: it was cancelled, it ended, or another
// worker took it over. The worker drops what it was doing and writes nothing.
var ErrLost = errors.New("the work belongs to somebody else now")

// Busy is ErrBusy with the true waiting time, for people and for programs.
func Busy(wait time.Duration) error {
	e := ErrBusy.After(wait)
	e.Public = "The studio is full. Try again in " + errs.About(wait) + "."
	return e
}

// fault is a setback that the work itself has made, rather than a part that was away.
type fault struct{ error }

func (f fault) Unwrap() error { return f.error }

// holdEnded says that nothing is left to capture.
func holdEnded(err error) bool {
	if err == nil {
		return false
	}
	switch errs.From(err).Reason { //nolint:exhaustive // billing's words for a hold that is over
	case errorsv1.Reason_REASON_HOLD_NOT_FOUND, errorsv1.Reason_REASON_HOLD_RELEASED, errorsv1.Reason_REASON_HOLD_EXPIRED:
		return true
	}
	return false
}

// refused says that billing understood and said no, so that no hold exists. Anything else may
// have left one behind.
func refused(err error) bool {
	switch errs.From(err).Kind { //nolint:exhaustive // the rest is not an answer
	case errs.Invalid, errs.Unauthenticated, errs.Forbidden, errs.NotFound, errs.Conflict, errs.FailedPrecondition, errs.Exhausted:
		return true
	}
	return false
}
