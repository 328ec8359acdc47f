package web

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

var (
	errVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Our terms have changed since you opened this page. Please load it again and read them.")
	errConsent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "Serein cannot do without these two: please agree to the terms and to what is essential.")
)

// knownVersion says whether a version is that of one of the texts members agree to.
func (s *Screens) knownVersion(version string) bool {
	for _, known := range s.Texts {
		if version == known {
			return true
		}
	}
	return false
}

// termsVersion is the version of the terms and the privacy policy together: the younger one's.
func (s *Screens) termsVersion() string { return max(s.Texts["terms"], s.Texts["privacy"]) }
