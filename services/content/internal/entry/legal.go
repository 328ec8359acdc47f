package entry

// The content types of the texts that members agree to.
const (
	TermsAndConditions = "termsAndConditions"
	PrivacyPolicy      = "privacyPolicy"
)

// IsLegal says whether members agree to the item's words, by its version: a day. Published words never change under one version.
// Otherwise the product could not say to which words a member agreed, and would not ask members to agree to the changed words.
func (i Item) IsLegal() bool {
	return i.Kind == KindEntry && (i.ContentType == TermsAndConditions || i.ContentType == PrivacyPolicy)
}
