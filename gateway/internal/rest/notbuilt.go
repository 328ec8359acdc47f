package rest

// NotBuilt are the calls that are still to come, with what they answer until then. A call leaves
// this table with the change that builds it: a test fails for a call that is built and stands here,
// and for one that is not built and does not.
var NotBuilt = map[string]string{
	"POST /api/UpdateUser":                   "Changing a profile over REST comes with accounts.",
	"POST /api/checkout":                     "Buying over REST comes with the memberships.",
	"POST /api/switch-subscription":          "Changing a plan over REST comes with the memberships.",
	"POST /api/cancel-subscription":          "Cancelling over REST comes with the memberships.",
	"POST /api/sendMail":                     "Sending mail over REST comes with accounts.",
	"POST /api/updateMeditationDeleteStatus": "Deleting and recovering meditations comes with My Journey.",
	"POST /api/generateStaticMeditation":     "Making meditations for the library comes with the library.",
	"GET /api/staticMeditations":             "The library comes soon.",
	"POST /api/updateStaticMed":              "Verifying meditations comes with the library.",
	"DELETE /api/deleteStaticMed":            "Removing meditations comes with the library.",
	"POST /api/generateArticle":              "Making articles comes with the articles.",
	"GET /api/getArticles":                   "The articles come soon.",
	"POST /api/updateLike":                   "Likes come with the articles and the library.",
}
