package web

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var (
	errVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Our terms have changed since you opened this page. Please load it again and read them.")
	errConsent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "Serein cannot do without these two: please agree to the terms and to what is essential.")
)

// termsVersion is the version of the terms and the privacy policy together, as pages show it: the
// later of the two. Consent to any other is consent to a text that does not hold.
func (s *Screens) termsVersion() string { return max(s.Texts["terms"], s.Texts["privacy"]) }
