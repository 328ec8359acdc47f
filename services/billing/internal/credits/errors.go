package credits

import "serein.app/services/platform/errs"

// The refusals. The sentence of ErrInsufficient is the specification's.
var (
	ErrInsufficient = errs.New(errs.FailedPrecondition, "INSUFFICIENT_CREDITS",
		"You have run out of meditation credits for this subscription period. You can always topup using the link above and continue generating bespoke meditations.")
	ErrKeyReused = errs.New(errs.Conflict, "IDEMPOTENCY_KEY_REUSED",
		"This key belongs to another request.")
	ErrHoldNotFound = errs.New(errs.NotFound, "HOLD_NOT_FOUND", "There is no such hold.")
	ErrHoldReleased = errs.New(errs.FailedPrecondition, "HOLD_RELEASED", "This hold was released.")
	ErrHoldExpired  = errs.New(errs.FailedPrecondition, "HOLD_EXPIRED", "This hold has run out of time.")
	ErrHoldCaptured = errs.New(errs.FailedPrecondition, "HOLD_CAPTURED", "This hold was captured.")
	// ErrLedgerNotFound also answers for other members' ledgers, as if there were none.
	ErrLedgerNotFound = errs.New(errs.NotFound, "LEDGER_NOT_FOUND", "There is no such ledger.")
	ErrPageToken      = errs.New(errs.Invalid, "PAGE_TOKEN_INVALID", "That page cannot be found.")
)
