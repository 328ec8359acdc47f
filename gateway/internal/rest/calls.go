package rest

import (
	"net/http"
	"strings"

	"serein.app/gateway/internal/roles"
)

// call is one call of the contract, as callers may use it.
type call struct {
	verb, path string
	// role is what a member must be to call. Service accounts are another matter: see accounts.
	role roles.Role
	// entitlement that roles.Subscribers need.
	entitlement string
	// named: services are told all that the member is now, since their answer depends on it.
	named bool
	// scope that an access token needs, a member's or a service account's.
	scope string
	// accounts: service accounts may call too; they name the member they call for.
	accounts bool
	// also are ways to fail that other calls do not have.
	also []refusal
	// failed is what every failure begins with; empty where the specification has no words for that. Behind it comes what
	// stands: refused where the call was refused, unheard where nobody knows what it did.
	failed, refused, unheard string
	// generates: makes a meditation and may wait for it.
	generates bool
	// body of the example. It names no member: a member's token is about its member.
	body string
	// answer is the example of one that went well.
	answer string
}

// calls is every call of serein.rest.v1. What is not here does not exist; a test compares it with
// the contract's paths.
var calls = []call{
	{
		verb: http.MethodGet, path: "/api/GetUser", role: roles.Members, scope: "serein.user.read", accounts: true,
		answer: exampleUser, also: []refusal{noMember},
	},
	{
		verb: http.MethodPost, path: "/api/UpdateUser", role: roles.Members, named: true, scope: "serein.user.write", body: `{"firstName":"Amara"}`,
		answer: `{"updatedUser":` + exampleUser + `}`, also: []refusal{
			{http.StatusNotFound, "Another member is named, or an item that there is not for this caller.", errUser.Public, errUser.Word()},
			{http.StatusConflict, "Terms or essentials are withdrawn, or My Journey is full.", errConsent.Public, errConsent.Word()},
		},
	},
	{
		verb: http.MethodPost, path: "/api/checkout", role: roles.Members, scope: "serein.billing.write",
		body:   `{"mode":"subscription","lineItems":[{"price":"serein-core:month","quantity":1}],"subscription":{"subId":"serein-core"}}`,
		answer: `{"sessionId":"cs_4f2k","url":"https://pay.example/c/cs_4f2k"}`, also: []refusal{
			{http.StatusNotFound, "Another member is named.", errUser.Public, errUser.Word()},
			{http.StatusConflict, "It cannot be bought by this member as it stands.", "You already have this membership.", "MEMBERSHIP_CURRENT"},
		},
	},
	{
		verb: http.MethodPost, path: "/api/switch-subscription", role: roles.Members, scope: "serein.billing.write", body: `{"newPriceId":"serein-premium:month"}`,
		failed: "Failed to switch subscription", refused: "Nothing was changed or charged.",
		unheard: "We did not hear whether it went through: the subscription of GetUser says so, and the same Idempotency-Key does it only once.",
		answer:  `{"subscription":` + exampleSubscription(examplePremium, "12.99", false) + `}`, also: []refusal{{
			http.StatusNotFound, "Nothing is paid every period, or another member is named.", "You don’t have a membership that renews.", "SUBSCRIPTION_NOT_FOUND",
		}, {
			http.StatusConflict, "It cannot be changed as it stands, or the card was refused; nothing is changed.",
			"Your membership is set to end. Please keep it first, then choose another plan.", "CHANGE_NOT_POSSIBLE",
		}},
	},
	{
		verb: http.MethodPost, path: "/api/cancel-subscription", role: roles.Members, scope: "serein.billing.write", body: `{"cancelAtPeriodEnd":true}`,
		answer: `{"subscription":` + exampleSubscription(exampleCore, "7.99", true) + `}`, also: []refusal{{
			http.StatusNotFound, "Nothing is paid every period, or another member is named.", "There is no membership to end.", "SUBSCRIPTION_NOT_FOUND",
		}},
	},
	{
		verb: http.MethodPost, path: "/api/sendMail", role: roles.Admins, scope: "serein.mail.send", accounts: true,
		body: `{"to":"amara@example.org","cc":"","subject":"A quiet evening","html":"<p>Hello</p>"}`, answer: `{}`, also: []refusal{reused},
	},
	{
		verb: http.MethodPost, path: "/api/generateMeditation", role: roles.Members,
		scope: "serein.meditation.write", generates: true,
		also: []refusal{{
			http.StatusConflict, "There are too few credits, or the key was used for another request.", "You do not have enough credits.", "INSUFFICIENT_CREDITS",
		}},
		body: `{"title":"A kind evening","meditationType":"Gratitude","practiceType":"Zen (Zazen)","duration":"MiniMed",` +
			`"language":"en-GB","voiceCode":"maren","immersive":false}`,
		answer: `{"data":{"script":{"title":"A kind evening","content":"Welcome. Let the day be over."},"audioUrl":"` + exampleAudio +
			`","dbItem":` + exampleMeditation + `},"id":"` + exampleID + `"}`,
	},
	{
		verb: http.MethodGet, path: "/api/bespokeMeditations", role: roles.Members, scope: "serein.meditation.read", accounts: true,
		answer: `{"items":[` + exampleMeditation + `],"nextPageToken":""}`, also: []refusal{noMember},
	},
	{
		verb: http.MethodPost, path: "/api/updateMeditationDeleteStatus", role: roles.Members, scope: "serein.meditation.write",
		failed: "Failed to update meditation delete status", unheard: "We did not hear whether it was changed: willDelete of bespokeMeditations says so.",
		body: `{"uid":"` + exampleID + `","action":"mark"}`, answer: `{}`, also: []refusal{{
			http.StatusNotFound, "There is no such meditation of the caller's, or another member is named.", "There is no such meditation.", "MEDITATION_NOT_FOUND",
		}, {
			http.StatusConflict, "It is marked already, or not marked, or not finished, or removed for good.",
			"This meditation is not deleted, so there is nothing to recover.", "MEDITATION_NOT_MARKED",
		}},
	},
	{
		verb: http.MethodPost, path: "/api/generateStaticMeditation", role: roles.Admins, scope: "serein.library.write", accounts: true,
		body: `{"id":"` + exampleID + `","title":"Letting the day go","script":"Sit as you like. [pause 8] Let the day be over.","voiceCode":"maren",` +
			`"meditationType":"Better Sleep","practiceType":"Zen (Zazen)","immersive":false,"introMed":false}`,
		answer: `{"meditation":` + exampleMade + `}`, also: []refusal{reused},
	},
	{
		verb: http.MethodGet, path: "/api/staticMeditations", role: roles.SubscribersAndAdmins, entitlement: "library", named: true,
		scope: "serein.library.read", accounts: true, answer: `{"items":[` + exampleRecording + `],"nextPageToken":""}`,
	},
	{
		verb: http.MethodPost, path: "/api/updateStaticMed", role: roles.Admins, scope: "serein.library.write", accounts: true,
		body: `{"uid":"` + exampleID + `","verified":true}`, answer: `{}`, also: []refusal{noItem, {
			http.StatusConflict, "It has not been narrated yet.", "It has not been narrated yet: listen to it first.", "NOT_NARRATED",
		}},
	},
	{
		verb: http.MethodDelete, path: "/api/deleteStaticMed", role: roles.Admins, scope: "serein.library.write", accounts: true,
		body: `{"uid":"` + exampleID + `"}`, answer: `{}`, also: []refusal{noItem},
	},
	{
		verb: http.MethodPost, path: "/api/generateArticle", role: roles.Admins, scope: "serein.article.write", accounts: true,
		body: `{"id":"` + exampleOther + `","title":"On rest","text":"Rest is not idleness.","formattedText":"<p>Rest is not idleness.</p>",` +
			`"voiceCode":"maren","meditationType":"Better Sleep","practiceType":"Zen (Zazen)"}`,
		answer: `{"article":` + exampleArticle + `}`, also: []refusal{reused},
	},
	{
		verb: http.MethodGet, path: "/api/getArticles", role: roles.Members, named: true, scope: "serein.article.read", accounts: true,
		answer: `{"items":[` + exampleArticle + `],"nextPageToken":""}`,
	},
	{
		verb: http.MethodPost, path: "/api/updateLike", role: roles.Members, named: true, scope: "serein.user.write",
		body: `{"uid":"` + exampleOpen + `","likes":1,"table":"Articles"}`, answer: `{"likes":12,"liked":true}`, also: []refusal{noItem},
	},
}

// Refusals of several calls.
var (
	noMember = refusal{http.StatusNotFound, "There is no such member for this caller.", errUser.Public, errUser.Word()}
	noItem   = refusal{http.StatusNotFound, "There is nothing by that uid, for this caller.", errItem.Public, errItem.Word()}
	reused   = refusal{http.StatusConflict, "Something else was made under this id.", "Something else was made under this id.", "IDEMPOTENCY_KEY_REUSED"}
)

// The examples of the document.
const (
	exampleOther = "0192f0c1-0000-7000-8000-0000000000a2"
	// exampleOpen is a published article that everybody may read.
	exampleOpen    = "plain-answers-for-a-first-sitting"
	exampleArticle = `{"uid":"` + exampleOther + `","id":"` + exampleOther + `","title":"On rest","content":"Rest is not idleness.",` +
		`"body":"<p>Rest is not idleness.</p>\n","audioUrl":"https://serein.example/media/narrations/3f2a.mp3","likes":0,` +
		`"category":[{"category":"Better Sleep","confidence":100}]}`
	exampleMade      = exampleStatic + `"audioUrl":"","duration":"","verified":false}`
	exampleRecording = exampleStatic + `"audioUrl":"https://serein.example/media/narrations/3f2a.mp3","duration":"492","verified":true}`
	exampleStatic    = `{"uid":"` + exampleID + `","id":"` + exampleID + `","title":"Letting the day go","content":"Sit as you like.\n\nLet the day be over.",` +
		`"immersive":false,"type":"Better Sleep","style":"Zen (Zazen)","category":[{"category":"Better Sleep"}],"likes":0,"staticMed":true,"introMed":false,` +
		`"createdBy":"` + exampleUID + `","generatedBy":"Amara","firebaseId":"` + exampleUID + `","createdAt":"2026-11-21T18:00:00Z","willDelete":false,`

	exampleCore    = `"subId":"serein-core","subscription":"serein-core","planName":"Core"`
	examplePremium = `"subId":"serein-premium","subscription":"serein-premium","planName":"Premium"`

	exampleUID        = "0192f0c1-0000-7000-8000-00000000000a"
	exampleID         = "0192f0c1-0000-7000-8000-0000000000a1"
	exampleAudio      = "https://serein.example/media/meditations/" + exampleID + "/audio"
	exampleMeditation = `{"uid":"` + exampleID + `","id":"` + exampleID + `","title":"A kind evening","content":"Welcome. Let the day be over.",` +
		`"audioUrl":"` + exampleAudio + `","duration":"MiniMed","immersive":false,"type":"Gratitude","style":"Zen (Zazen)","category":[],"likes":0,` +
		`"verified":false,"staticMed":false,"introMed":false,"createdBy":"` + exampleUID + `","generatedBy":"Amara","firebaseId":"` + exampleUID + `",` +
		`"createdAt":"2026-11-21T18:00:00Z","willDelete":false}`
)

// exampleUser is a member's record.
var exampleUser = `{"uid":"` + exampleUID + `","firebaseId":"` + exampleUID + `","email":"amara@example.org","firstName":"Amara","surName":"Lindqvist",` +
	`"name":"Amara Lindqvist","referralCode":"AMARA-4F2K","isGod":false,"consents":{"essentials":true,"analytics":false,"marketing":false,` +
	`"termsAndConditions":true},"basket":[],"savedItems":{"ebooks":[]},"favourites":{"publications":[],` +
	`"meditations":[]},"purchasedItems":[],"subscription":` + exampleSubscription(exampleCore, "7.99", false) + `,"createdBy":"` + exampleUID + `","away":[]}`

// exampleSubscription is a plan that is paid by the month; one that ends says when.
func exampleSubscription(plan, price string, ends bool) string {
	end := `"cancelAtPeriodEnd":false`
	if ends {
		end = `"cancelAtPeriodEnd":true,"willCancelOn":1797876000`
	}
	return `{` + plan + `,"startDate":"2026-11-21T18:00:00Z","duration":30,` +
		`"meditationCredits":12,"extraBespokeMeditationCredits":0,"hasCompletedTrial":true,"isActiveSub":true,"active":true,` + end +
		`,"size":"month","priceId":"price_4f2k","billing":"month","price":` + price + `,"description":"For a steady practice, most evenings of the week."}`
}

// find is the call at an address; where only the method is wrong, allowed names those that are right.
func find(verb, path string) (found *call, allowed []string) {
	for i := range calls {
		switch c := &calls[i]; {
		case c.path != path:
		case c.verb == verb, c.verb == http.MethodGet && verb == http.MethodHead:
			return c, nil
		default:
			allowed = append(allowed, c.verb)
		}
	}
	return nil, allowed
}

// curl is the call's example as a line for a shell. $SEREIN is the address, $TOKEN an access token.
func (c *call) curl() string {
	line := []string{"curl -sS"}
	if c.verb != http.MethodGet {
		line = append(line, "-X", c.verb)
	}
	line = append(line, `-H "Authorization: Bearer $TOKEN"`)
	if c.body != "" {
		line = append(line, `-H "Content-Type: application/json"`, "-d '"+c.body+"'")
	}
	return strings.Join(append(line, `"$SEREIN`+c.path+`"`), " ")
}

// Line is a call's example for tools and tests.
type Line struct{ Verb, Path, Scope, Body, Curl string }

// Lines are the examples of all calls.
func Lines() []Line {
	lines := make([]Line, len(calls))
	for i := range calls {
		c := &calls[i]
		lines[i] = Line{c.verb, c.path, c.scope, c.body, c.curl()}
	}
	return lines
}
