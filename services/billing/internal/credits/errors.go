package credits

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals. The sentence of ErrInsufficient is the specification's.
var (
	ErrInsufficient = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS,
		"You have run out of meditation credits for this subscription period. You can always topup using the link above and continue generating bespoke meditations.")
	ErrKeyReused = errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED,
		"This key belongs to another request.")
	ErrHoldNotFound    = errs.New(errs.NotFound, errorsv1.Reason_REASON_HOLD_NOT_FOUND, "There is no such hold.")
	ErrHoldReleased    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_RELEASED, "This hold was released.")
	ErrHoldExpired     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_EXPIRED, "This hold has run out of time.")
	ErrHoldNotCaptured = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_NOT_CAPTURED, "This hold was not captured.")
	ErrHoldCaptured    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_HOLD_CAPTURED, "This hold was captured.")
	// ErrLedgerNotFound also answers for other members' ledgers, as if there were none.
	ErrLedgerNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_LEDGER_NOT_FOUND, "There is no such ledger.")
)
