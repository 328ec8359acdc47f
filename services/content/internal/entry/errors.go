package entry

import (
	"errors"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrNotFound     = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is no such entry or asset.")
	ErrExists       = errs.New(errs.Conflict, errorsv1.Reason_REASON_ITEM_EXISTS, "Another entry or asset has this id.")
	ErrArchived     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_ARCHIVED, "It’s in the archive: take it out first.")
	ErrNotArchived  = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_NOT_ARCHIVED, "It isn’t in the archive.")
	ErrPublished    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_PUBLISHED, "It’s published: unpublish it first.")
	ErrNotPublished = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_NOT_PUBLISHED, "It isn’t published.")
	// ErrVersion says that another caller has changed the item since this caller read it.
	ErrVersion      = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH, "Someone else has changed it in the meantime. Please check it again.")
	ErrTypeNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_CONTENT_TYPE_NOT_FOUND, "There is no such content type.")
	ErrTypeInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_CONTENT_TYPE_INVALID, "The content type isn’t valid.")
	ErrTypeUsed     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONTENT_TYPE_USED, "There are entries of this content type.")
	ErrTermInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TERM_INVALID, "The tag, concept or locale isn’t valid.")
	// ErrLegalVersion says that a legal text was published with that version and other words: see Item.IsLegal.
	ErrLegalVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_LEGAL_VERSION_TAKEN,
		"Members have agreed to different words under this version. Give the changed text a new one: the day it applies from.").On("version")
	// ErrEnvironments says that no more copies of master can be made, ErrMaster that master is none.
	ErrEnvironments = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ENVIRONMENTS_FULL, "There are five environments already. Delete one that nobody needs first.")
	ErrMaster       = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ENVIRONMENT_KEPT, "Readers are shown master: it cannot be deleted.")
	// ErrInvalid says that fields break rules; Refusal says which.
	ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_INVALID, "The entry isn’t valid.")
)

// Refusal turns the faults of an item into an error for the caller: sentences that say what is wrong, and the first field with
// a fault. It returns other errors unchanged.
func Refusal(err error) error {
	faults, ok := errors.AsType[FieldErrors](err)
	if !ok {
		return err
	}
	refusal := ErrInvalid.Because(err).On(faults[0].Field)
	refusal.Public = faults.Error()
	return refusal
}
