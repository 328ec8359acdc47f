package seeding

// form is how a file holds entries.
type form int

const (
	// document is Markdown with front matter: one entry, named like the file.
	document form = iota
	// single is a YAML mapping: one entry, named like the file.
	single
	// list is a YAML sequence of mappings: an entry each, with its id.
	list
	// lines is a YAML sequence of texts: an entry each, named by its number.
	lines
)

// source says which files hold entries of a content type.
type source struct {
	files       string // pattern of path.Match
	contentType string
	form        form
	// text is the field that takes what stands below the front matter of a document, or each of the lines.
	text string
	// fixed are values that all have, without a file saying so.
	fixed map[string]any
}

// typesFile has the content types.
const typesFile = "content-types.yaml"

// sources in the order in which they are applied: first the legal texts, which sign-up needs; then the entries that others
// link to.
var sources = []source{
	{files: "privacy-policy.md", contentType: "privacyPolicy", form: document, text: "body"},
	{files: "terms-and-conditions.md", contentType: "termsAndConditions", form: document, text: "body"},
	{files: "categories.yaml", contentType: "category", form: list},
	{files: "immersive-tracks.yaml", contentType: "immersiveTrack", form: list},
	{files: "meditations/*.md", contentType: "meditation", form: document, text: "script", fixed: map[string]any{"verified": true}},
	{files: "articles/*.md", contentType: "article", form: document, text: "body"},
	{files: "courses.yaml", contentType: "course", form: list},
	{files: "homepage.yaml", contentType: "homepage", form: single},
	{files: "store-items.yaml", contentType: "storeItem", form: list},
	{files: "membership-page.yaml", contentType: "membershipPage", form: single},
	{files: "membership-tiers.yaml", contentType: "membershipTier", form: list},
	{files: "faq.yaml", contentType: "faq", form: list},
	{files: "credit-packs.yaml", contentType: "creditPack", form: list},
	{files: "apparel-page.yaml", contentType: "apparelPage", form: single},
	{files: "products.yaml", contentType: "product", form: list},
	{files: "about.md", contentType: "page", form: document, text: "body"},
	{files: "sitemap.md", contentType: "page", form: document, text: "body"},
	{files: "sitemap-groups.yaml", contentType: "sitemapGroup", form: list},
	{files: "quotes.yaml", contentType: "quote", form: lines, text: "text"},
}
