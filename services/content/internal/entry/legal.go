package entry

// The content types of the texts that members agree to.
const (
	TermsAndConditions = "termsAndConditions"
	PrivacyPolicy      = "privacyPolicy"
)

// IsLegal says whether members agree to the item's words, by its version: a day. Published words never change under one version, or
// nobody could say what was agreed to, and nobody would be asked again.
func (i Item) IsLegal() bool {
	return i.Kind == KindEntry && (i.ContentType == TermsAndConditions || i.ContentType == PrivacyPolicy)
}
