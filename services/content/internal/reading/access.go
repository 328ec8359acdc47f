package reading

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// The refusals.
var (
	ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_ITEM_NOT_FOUND, "There is nothing here by that name.")
	ErrCategory = errs.New(errs.NotFound, errorsv1.Reason_REASON_CATEGORY_NOT_FOUND, "There is no such category.")
)

// words of a plan that let its members read and hear.
const (
	articles = "articles"
	library  = "library"
)

// Shown says whether the reader may know of the item at all.
func (c Card) Shown(to auth.Subject) bool { return c.Verified || to.Admin }

// Whole says whether the reader may read and hear all of it.
func (c Card) Whole(to auth.Subject) bool {
	if !c.Shown(to) {
		return false
	}
	return c.Open || to.Admin || to.Entitled(map[Kind]string{Article: articles, Meditation: library}[c.Kind])
}

// ScopeOf is what the reader gets of the library.
func ScopeOf(to auth.Subject, onlyUnverified bool) Scope {
	switch {
	case !to.Admin:
		return Verified
	case onlyUnverified:
		return Unverified
	default:
		return Everything
	}
}
