package letters

import (
	"embed"
	"fmt"
	html "html/template"
	"net/url"
	"regexp"
	"strings"
	text "text/template"

	"serein.app/services/platform/money"
)

//go:embed templates
var files embed.FS

// Content is a letter's words.
type Content struct {
	Subject, Text, HTML string
}

// Composer writes letters.
type Composer struct {
	publicURL string
	text      *text.Template
	html      *html.Template
}

// subjects say what the letter is for, and never hold a code: subjects show on locked screens.
var subjects = map[Template]string{
	ConfirmationCode: "Your confirmation code for Serein",
	AccountExists:    "You already have an account with Serein",
	Welcome:          "Welcome to Serein",
	Contact:          "A message via the contact form",
	Receipt:          "Your receipt from Serein",
	RefundSent:       "Your refund from Serein",
	PaymentReturned:  "Your second payment is on its way back",
}

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
	}
	return subject, ok
}

// words are the functions of the templates.
var words = map[string]any{"money": money.Words, "credits": credits}

// address is a name that mail programs would make a link of. Nobody is greeted by one.
var address = regexp.MustCompile(`[/@:]|\.\pL{2}`)

// NewComposer reads the templates; publicURL is where links lead, without a slash at the end.
func NewComposer(publicURL string) (*Composer, error) {
	t, err := text.New("").Funcs(words).Option("missingkey=error").ParseFS(files, "templates/*.txt")
	if err != nil {
		return nil, err
	}
	h, err := html.New("").Funcs(words).Option("missingkey=error").ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	return &Composer{publicURL: strings.TrimRight(publicURL, "/"), text: t, html: h}, nil
}

// view is what the templates see.
type view struct {
	Data
	// Greeting is "Hello Ada" or "Hello".
	Greeting string
	// Subject heads the HTML document.
	Subject string
	// Home, Generator, Orders, Contact and Confirm are addresses of the app. Confirm is empty without a username.
	Home, Generator, Orders, Contact, Confirm string
}

// Compose writes the letter's words.
func (c *Composer) Compose(l Letter) (Content, error) {
	subject, ok := l.subject()
	if !ok {
		return Content{}, fmt.Errorf("no letter %q", l.Template)
	}
	v := view{
		Data: l.Data, Subject: subject, Greeting: "Hello",
		Home: c.publicURL + "/", Generator: c.publicURL + "/bespoke-meditation-generator",
		Orders: c.publicURL + "/orders", Contact: c.publicURL + "/contact",
	}
	if l.Data.Username != "" {
		v.Confirm = c.publicURL + "/signup/confirm?username=" + url.QueryEscape(l.Data.Username)
	}
	if name := strings.TrimSpace(l.Data.GivenName); name != "" && !address.MatchString(name) {
		v.Greeting = "Hello " + name
	}
	var t, h strings.Builder
	if err := c.text.ExecuteTemplate(&t, string(l.Template)+".txt", v); err != nil {
		return Content{}, fmt.Errorf("letter %s: %w", l.Template, err)
	}
	if err := c.html.ExecuteTemplate(&h, string(l.Template)+".html", v); err != nil {
		return Content{}, fmt.Errorf("letter %s: %w", l.Template, err)
	}
	return Content{Subject: subject, Text: t.String(), HTML: h.String()}, nil
}
