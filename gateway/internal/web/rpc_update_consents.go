package web

import (
	"context"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// UpdateConsents records what the member says now, each with the version of its text: that which
// the dialog showed for the terms, the privacy policy's for the rest. Errors: CONSENT_REQUIRED;
// INVALID_ARGUMENT for a version of the terms that is not the current one; UNAVAILABLE while none is known.
func (s *Screens) UpdateConsents(ctx context.Context, req *webv1.UpdateConsentsRequest) (*webv1.UpdateConsentsResponse, error) {
	said := req.GetConsents()
	if !said.GetTerms() || !said.GetEssentials() {
		return nil, errConsent
	}
	texts, err := s.texts.agreedTo(ctx, said.GetTermsVersion(), "consents.terms_version")
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Consents.RecordConsents(ctx, &identityv1.RecordConsentsRequest{Answers: []*identityv1.ConsentAnswer{
		{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: said.GetTerms(), Version: texts.String()},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: said.GetEssentials(), Version: texts.privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_ANALYTICS, Given: said.GetAnalytics(), Version: texts.privacy},
		{Kind: identityv1.ConsentKind_CONSENT_KIND_MARKETING, Given: said.GetMarketing(), Version: texts.privacy},
	}})
	if err != nil {
		return nil, err
	}
	return &webv1.UpdateConsentsResponse{Consents: consents(res.GetConsents())}, nil
}
