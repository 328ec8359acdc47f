package web

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var (
	errVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Our terms have changed since you opened this page. Please load it again and read them.")
	errConsent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "Serein cannot do without these two: please agree to the terms and to what is essential.")
)

// termsVersion names the terms and the privacy policy that pages show, which are agreed to together:
// whichever changes is asked for again. Pages make the same text (frontend/src/copy/texts.ts).
// Consent to any other is consent to a text that does not hold.
func (s *Screens) termsVersion() string {
	return "terms " + s.Texts["terms"] + ", privacy " + s.Texts["privacy"]
}
