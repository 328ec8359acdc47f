package export

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

// document is a part of the record as JSON.
type document struct {
	File, Title string
	content     any // a message, or a list of them
}

// documents are the record for programs. A new part of the record belongs here.
func (r *record) documents() []document {
	meditations := make([]proto.Message, len(r.meditations))
	for i, m := range r.meditations {
		meditations[i] = m.Meditation
	}
	return []document{
		{"data/profile.json", "Your profile", r.user.GetUser()},
		{"data/consents.json", "What you agreed to", r.consents},
		{"data/apps.json", "Apps that can use your account", r.apps},
		{"data/devices.json", "Where you’re signed in", r.devices},
		{"data/passkeys.json", "Your passkeys", r.passkeys},
		{"data/second-step.json", "Your authenticator app", r.secondStep},
		{"data/membership.json", "Your membership and credits", r.account},
		{"data/ledger.json", "Every change to your credits", messages(r.ledger)},
		{"data/orders.json", "Your orders", messages(r.orders)},
		{"data/invitations.json", "What came of your invitations", r.referrals},
		{"data/basket.json", "Your basket", r.basket},
		{"data/saved.json", "What you saved and liked", r.kept},
		{"data/listening.json", "Where you stopped listening", r.places},
		{"data/courses.json", "The courses you take", r.courses},
		{"data/diary.json", "Your listening diary", r.diary},
		{"data/letters.json", "The emails you chose", r.letters},
		{"data/meditations.json", "Your meditations", meditations},
		{"data/scripts.json", "Scripts you have not had narrated yet", r.drafts},
		{"data/shares.json", "The links you share meditations by", messages(r.shares)},
	}
}

func messages[T proto.Message](list []T) []proto.Message {
	out := make([]proto.Message, len(list))
	for i, m := range list {
		out[i] = m
	}
	return out
}

//go:embed index.html
var source string

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"day": day, "clock": clock, "price": price, "consent": func(c *identityv1.Consent) string { return consents[c.GetKind()] },
}).Parse(source))

// page is the record for people, which opens without us and without a line.
func (r *record) page(at time.Time) ([]byte, error) {
	var out bytes.Buffer
	err := page.Execute(&out, struct {
		At          *timestamppb.Timestamp
		User        *identityv1.User
		Consents    []*identityv1.Consent
		Apps        []*identityv1.AppConsent
		Balance     *billingv1.Balance
		Orders      []*billingv1.Order
		Ledger      []*billingv1.LedgerEntry
		Saved       []*contentv1.KeptItem
		Liked       []*contentv1.KeptItem
		Places      []*contentv1.ExportedPlace
		Courses     []*contentv1.ExportedCourse
		Diary       []*contentv1.DiaryEntry
		Meditations []*meditation
		Shares      map[string]*generationv1.Share
		Documents   []document
	}{
		timestamppb.New(at), r.user.GetUser(), r.consents.GetConsents(), r.apps.GetConsents(), r.account.GetBalance(), r.orders, r.ledger, r.kept.GetSaved(), r.kept.GetLiked(), r.places.GetPlaces(), r.courses.GetCourses(), r.diary.GetEntries(), r.meditations, r.shareOf(), r.documents(),
	})
	return out.Bytes(), err
}

// shareOf are the links by their meditations.
func (r *record) shareOf() map[string]*generationv1.Share {
	of := make(map[string]*generationv1.Share, len(r.shares))
	for _, s := range r.shares {
		of[s.GetMeditationId()] = s
	}
	return of
}

var consents = map[identityv1.ConsentKind]string{
	identityv1.ConsentKind_CONSENT_KIND_TERMS:      "Terms and privacy",
	identityv1.ConsentKind_CONSENT_KIND_AGE_16:     "Being 16 or over",
	identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS: "Essentials",
	identityv1.ConsentKind_CONSENT_KIND_ANALYTICS:  "Analytics",
	identityv1.ConsentKind_CONSENT_KIND_MARKETING:  "Marketing",
}

// day is a moment in words; empty for none.
func day(at *timestamppb.Timestamp) string {
	if at == nil {
		return ""
	}
	return at.AsTime().Format("2 January 2006, 15:04 UTC")
}

// clock is a length of so many milliseconds as players show it.
func clock(ms int64) string { return fmt.Sprintf("%d:%02d", ms/60_000, ms/1000%60) }

// price of an order, as it was charged.
func price(o *billingv1.Order) string {
	return fmt.Sprintf("%s %d.%02d", strings.ToUpper(o.GetCurrency()), o.GetTotal()/100, o.GetTotal()%100)
}
