package studio

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrTitleRequired  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TITLE_REQUIRED, "It needs a title.").On("title")
	ErrScriptRequired = errs.New(errs.Invalid, errorsv1.Reason_REASON_SCRIPT_REQUIRED, "There are no words in it yet.").On("script")
	ErrScriptInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_SCRIPT_INVALID, "We can’t read one of its pauses.").On("script")
	ErrType           = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_TYPE, "There is no such meditation type.").On("type")
	ErrPractice       = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_PRACTICE, "There is no such practice.").On("practice")
	ErrNarrator       = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNKNOWN_NARRATOR, "There is no such narrator.").On("narrator_id")
	ErrReused         = errs.New(errs.Conflict, errorsv1.Reason_REASON_IDEMPOTENCY_KEY_REUSED, "Something else was made under this id.").On("id")
	ErrNotNarrated    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_NOT_NARRATED, "It has not been narrated yet: listen to it first.")
)
