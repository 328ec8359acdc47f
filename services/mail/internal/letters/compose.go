package letters

import (
	"cmp"
	"embed"
	"fmt"
	html "html/template"
	"net/url"
	"strings"
	text "text/template"
	"time"

	"serein.app/services/platform/money"
)

//go:embed templates
var files embed.FS

// Content is a letter's words.
type Content struct {
	Subject, Text, HTML string
	// Unsubscribe is the address that ends letters of the kind (RFC 8058); empty for those that nobody may do without.
	Unsubscribe string
}

// Composer writes letters.
type Composer struct {
	publicURL string
	now       func() time.Time
	// unsubscribe gives the token that ends such letters to whom the letter goes to.
	unsubscribe func(Letter) (string, error)
	text        *text.Template
	html        *html.Template
}

// subjects say what the letter is for, and never hold a code: subjects show on locked screens.
var subjects = map[Template]string{ //nolint:gosec // words, no secret
	ConfirmationCode:  "Your confirmation code for Serein",
	AccountExists:     "You already have an account with Serein",
	PasswordReset:     "Your code for a new password",
	PasswordChanged:   "Your password has changed",
	AddressCode:       "Your code for this address",
	AddressNotice:     "A new address for your account",
	AddressChanged:    "Your address has changed",
	NewDevice:         "A new device has signed in",
	PasskeyAdded:      "A passkey was added",
	PasskeyRemoved:    "A passkey was removed",
	SecondStepOn:      "Your authenticator app is on",
	SecondStepOff:     "Your authenticator app is off",
	RecoveryCodeUsed:  "A recovery code was used",
	Welcome:           "Welcome to Serein",
	Contact:           "A message via the contact form",
	Receipt:           "Your receipt from Serein",
	OrderUnpaid:       "Your payment didn’t go through",
	RefundSent:        "Your refund from Serein",
	PaymentReturned:   "Your second payment is on its way back",
	RefundFailed:      "Your refund didn’t reach you",
	DisputeWon:        "Your order is yours again",
	TrialStarted:      "A trial has started",
	TrialEnding:       "Your trial ends soon",
	Renewed:           "Your membership has renewed",
	RenewedByCredit:   "Your membership has renewed",
	PaymentFailed:     "Your payment didn’t go through",
	PlanChanged:       "Your membership has changed",
	Cancellation:      "Your membership will end, as you asked",
	Reactivated:       "Your membership carries on",
	Ended:             "Your membership has ended",
	Invitation:        "An invitation to Serein",
	Reward:            "Credits for you, with our thanks",
	RewardTakenBack:   "Your invitation credits have been removed",
	ApparelOrder:      "To be packed",
	LowBalance:        "Your credits are nearly spent",
	Free:              "An email from Serein",
	DeletionScheduled: "Your account will be deleted, as you asked",
	AccountDeleted:    "Your account is deleted",
}

// notices are the subjects of the second and the third letter about a failed payment.
var notices = map[int32]string{2: "Your payment still hasn’t gone through", 3: "Your membership ends soon"}

// subject is the letter's; that of the contact form names the writer, that of a sale the order, so that a mailbox can be read
// by its list.
func (l Letter) subject() (string, bool) {
	if w := l.Data.Writer; l.Template == Contact && w != nil {
		return fmt.Sprintf("New message from %s: %s via the contact form", w.Name, w.Email), true
	}
	subject, ok := subjects[l.Template]
	switch {
	case l.Data.Order != nil:
		subject += ", order " + l.Data.Order.Number
	case l.Data.Refund != nil:
		subject += ", order " + l.Data.Refund.Number
	case l.Data.Written != nil:
		subject = l.Data.Written.Subject
	case l.Template == PaymentFailed && l.Data.Membership != nil:
		subject = cmp.Or(notices[l.Data.Membership.Notice], subject)
	case l.Template == LowBalance && l.Data.Membership != nil && l.Data.Membership.Credits == 0:
		subject = "Your credits are spent"
	}
	return subject, ok
}

// link is a button's words and where it leads.
type link struct{ Label, Address string }

// words are the functions of the templates.
var words = map[string]any{
	"money": money.Format, "credits": credits, "date": date, "moment": moment,
	"link": func(label, address string) link { return link{label, address} },
}

// NewComposer reads the templates; publicURL is where links lead, without a slash at the end. unsubscribe gives the token that
// ends letters of the kind to whom the letter goes to.
func NewComposer(publicURL string, now func() time.Time, unsubscribe func(Letter) (string, error)) (*Composer, error) {
	t, err := text.New("").Funcs(words).Option("missingkey=error").ParseFS(files, "templates/*.txt")
	if err != nil {
		return nil, err
	}
	h, err := html.New("").Funcs(words).Option("missingkey=error").ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	return &Composer{strings.TrimRight(publicURL, "/"), now, unsubscribe, t, h}, nil
}

// view is what the templates see.
type view struct {
	Data
	// Greeting is "Hello Ada" or "Hello".
	Greeting string
	// Subject heads the HTML document.
	Subject string
	// Home and the others are addresses of the app. Confirm is empty without a username, SignUp without an invitation.
	Home, Generator, Orders, Contact, Members, Memberships, Privacy, Confirm, SignUp string
	// Unsubscribe ends letters of the kind; empty for those that nobody may do without.
	Unsubscribe string
	// Inviter is who invites, in words; Soon how far off it is.
	Inviter, Soon string
	// Body is an admin's own HTML, cleaned.
	Body html.HTML
}

// Compose writes the letter's words.
func (c *Composer) Compose(l Letter) (Content, error) {
	v, err := c.view(l)
	if err != nil {
		return Content{}, err
	}
	var t, h strings.Builder
	if err := c.text.ExecuteTemplate(&t, string(l.Template)+".txt", v); err != nil {
		return Content{}, fmt.Errorf("letter %s: %w", l.Template, err)
	}
	if err := c.html.ExecuteTemplate(&h, string(l.Template)+".html", v); err != nil {
		return Content{}, fmt.Errorf("letter %s: %w", l.Template, err)
	}
	return Content{Subject: v.Subject, Text: t.String(), HTML: h.String(), Unsubscribe: v.Unsubscribe}, nil
}

func (c *Composer) view(l Letter) (view, error) {
	subject, ok := l.subject()
	if !ok {
		return view{}, fmt.Errorf("no letter %q", l.Template)
	}
	v := view{
		Data: l.Data, Subject: subject, Greeting: greeting(l.Data.GivenName),
		Home: c.publicURL + "/", Generator: c.publicURL + "/bespoke-meditation-generator", Orders: c.publicURL + "/orders",
		Contact: c.publicURL + "/contact", Members: c.publicURL + "/members", Memberships: c.publicURL + "/memberships",
		Privacy: c.publicURL + "/privacy-policy",
	}
	if l.Data.Username != "" {
		v.Confirm = c.publicURL + "/signup/confirm?username=" + url.QueryEscape(l.Data.Username)
	}
	if l.Template.Kind() != "" {
		token, err := c.unsubscribe(l)
		if err != nil {
			return view{}, err
		}
		v.Unsubscribe = c.publicURL + "/unsubscribe/" + token
	}
	c.fill(&v, l.Data)
	return v, nil
}

// fill adds what only some letters have.
func (c *Composer) fill(v *view, d Data) {
	if i := d.Invite; i != nil {
		v.SignUp = c.publicURL + "/signup?invite=" + url.QueryEscape(i.Code)
		v.Greeting, v.Inviter = greeting(i.Friend), cmp.Or(plainName(i.Inviter), "A friend of yours")
	}
	if m := d.Membership; m != nil {
		v.Soon = soon(c.now(), m.At)
	}
	if d.Written != nil {
		v.Body = html.HTML(d.Written.HTML) //nolint:gosec // Write has cleaned it
	}
}

func greeting(given string) string {
	if name := plainName(given); name != "" {
		return "Hello " + name
	}
	return "Hello"
}
