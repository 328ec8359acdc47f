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
	ErrArchived     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_ARCHIVED, "It lies in the archive: take it out first.")
	ErrNotArchived  = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_NOT_ARCHIVED, "It does not lie in the archive.")
	ErrPublished    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_PUBLISHED, "Readers have it: unpublish it first.")
	ErrNotPublished = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ITEM_NOT_PUBLISHED, "Readers do not have it.")
	// ErrVersion says that somebody else has changed the item meanwhile.
	ErrVersion      = errs.New(errs.Conflict, errorsv1.Reason_REASON_VERSION_MISMATCH, "Somebody else has changed it meanwhile. Look at it again.")
	ErrTypeNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_CONTENT_TYPE_NOT_FOUND, "There is no such content type.")
	ErrTypeInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_CONTENT_TYPE_INVALID, "The content type cannot be as it is.")
	ErrTypeUsed     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONTENT_TYPE_USED, "There are entries of this content type.")
	ErrTermInvalid  = errs.New(errs.Invalid, errorsv1.Reason_REASON_TERM_INVALID, "The tag, concept or locale cannot be as it is.")
	// ErrLegalVersion says that a legal text was published with that version and other words: see Item.IsLegal.
	ErrLegalVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_LEGAL_VERSION_TAKEN,
		"Members have agreed to other words under this version. Give the changed text a new one: the day since when it stands as it does.").On("version")
	// ErrEnvironments says that no more copies of master can be made, ErrMaster that master is none.
	ErrEnvironments = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ENVIRONMENTS_FULL, "There are five environments already. Delete one that nobody needs first.")
	ErrMaster       = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ENVIRONMENT_KEPT, "Readers are shown master: it cannot be deleted.")
	// ErrInvalid says that fields break rules; Refusal says which.
	ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_INVALID, "The entry cannot be as it is.")
)

// Refusal is the faults of an item as an error for whoever asked: what is wrong, in sentences, and the first
// field that is at fault. Other errors stay as they are.
func Refusal(err error) error {
	faults, ok := errors.AsType[FieldErrors](err)
	if !ok {
		return err
	}
	refusal := ErrInvalid.Because(err).On(faults[0].Field)
	refusal.Public = faults.Error()
	return refusal
}
