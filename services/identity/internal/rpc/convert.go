package rpc

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/identity/internal/account"
)

var consentKinds = map[identityv1.ConsentKind]account.ConsentKind{
	identityv1.ConsentKind_CONSENT_KIND_AGE_16:     account.ConsentAge16,
	identityv1.ConsentKind_CONSENT_KIND_TERMS:      account.ConsentTerms,
	identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS: account.ConsentEssentials,
	identityv1.ConsentKind_CONSENT_KIND_ANALYTICS:  account.ConsentAnalytics,
	identityv1.ConsentKind_CONSENT_KIND_MARKETING:  account.ConsentMarketing,
}

func consentKindOf(kind account.ConsentKind) identityv1.ConsentKind {
	for wire, k := range consentKinds {
		if k == kind {
			return wire
		}
	}
	return identityv1.ConsentKind_CONSENT_KIND_UNSPECIFIED
}

func consentsOf(consents []account.Consent) []*identityv1.Consent {
	out := make([]*identityv1.Consent, len(consents))
	for i, c := range consents {
		out[i] = &identityv1.Consent{Kind: consentKindOf(c.Kind), Given: c.Given, Version: c.Version, Time: timestamppb.New(c.At)}
	}
	return out
}

func answersOf(answers []*identityv1.ConsentAnswer) []account.ConsentAnswer {
	out := make([]account.ConsentAnswer, len(answers))
	for i, a := range answers {
		out[i] = account.ConsentAnswer{Kind: consentKinds[a.GetKind()], Given: a.GetGiven(), Version: a.GetVersion()}
	}
	return out
}

func userOf(p account.Profile) *identityv1.User {
	return &identityv1.User{
		Uid: p.UID.String(), Username: p.Username, Email: p.Email, GivenName: p.GivenName, FamilyName: p.FamilyName,
		Admin: p.Admin, ReferralCode: p.ReferralCode, Consents: consentsOf(p.Consents),
	}
}
