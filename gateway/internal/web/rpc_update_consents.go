package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UpdateConsents records what the member says now, each with the version of its text: that which
// the dialog showed for the terms, the privacy policy's for the rest. Errors: CONSENT_REQUIRED;
// INVALID_ARGUMENT for a version of the terms that is not the current one.
func (s *Screens) UpdateConsents(ctx context.Context, req *webv1.UpdateConsentsRequest) (*webv1.UpdateConsentsResponse, error) {
	said := req.GetConsents()
	if !said.GetTerms() || !said.GetEssentials() {
		return nil, errConsent
	}
	shown := said.GetTermsVersion()
	if shown != s.termsVersion() {
		return nil, errVersion.On("consents.terms_version")
	}
	privacy := s.Texts["privacy"]
	res, err := s.Clients.Consents.RecordConsents(ctx, &identityv1.RecordConsentsRequest{Answers: []*identityv1.ConsentAnswer{
		{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: said.GetTerms(), Version: shown},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: said.GetEssentials(), Version: privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ANALYTICS, Given: said.GetAnalytics(), Version: privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_MARKETING, Given: said.GetMarketing(), Version: privacy},
	}})
	if err != nil {
		return nil, err
	}
	return &webv1.UpdateConsentsResponse{Consents: consents(res.GetConsents())}, nil
}
