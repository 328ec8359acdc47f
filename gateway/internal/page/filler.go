package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/services/platform/money"
)

// Question is what a page's answer is asked for with.
type Question struct {
	// RPC of serein.web.v1.
	RPC string
	// Request are its fields, all texts.
	Request map[string]string
	// Path is the address that was asked for, with its filter.
	Path string
	// Filter is what the page is filtered by, as in Request; empty for none.
	Filter string
	// Entitlement that everybody has who may open the page, but for admins; empty: it is not for subscribers.
	Entitlement string
}

// Answer is what a page shows.
type Answer struct {
	// Message is the RPC's answer, which the app takes over.
	Message proto.Message
	// Title and Description for the head; empty: those of the page.
	Title, Description string
	// Type of the page as Open Graph has it.
	Type string
	// Image is an absolute address.
	Image string
	// Canonical is the page's absolute address, Path the same without its site: where that is not what was asked
	// for, readers are sent there.
	Canonical, Path string
	// Linked is the page in schema.org's words.
	Linked any
	// AsOf is when this was true, if the service said so; zero: when it answered.
	AsOf time.Time

	own    bool   // asked for in the caller's name
	filter string // of the address, as the page names it
}

// filler fills one template.
type filler struct{ template *template.Template }

// filling is what a template's actions name.
type filling struct {
	Title, Description, Type, Image, Canonical string
	// Filter of the address; empty for none.
	Filter string
	Linked any
	// Answer is the message as the app reads it, Page the message itself.
	Answer json.RawMessage
	Page   any
}

// wordsAMinute is how fast people read, and what the app reckons with too (frontend/src/lib/format.ts).
const wordsAMinute = 200

// functions are the actions that templates have beside html/template's own. What the app computes of an answer is
// computed here in the same words, or it could not take the markup over.
var functions = template.FuncMap{
	// verbatim prints what the build wrote, clean what the content service has cleaned.
	"verbatim":  func(s string) template.HTML { return template.HTML(s) }, //nolint:gosec // the build's own text
	"clean":     func(s string) template.HTML { return template.HTML(s) }, //nolint:gosec // cleaned by content
	"minutes":   func(words int32) int32 { return max(1, (words+wordsAMinute/2)/wordsAMinute) },
	"listening": func(seconds int32) int32 { return max(1, (seconds+30)/60) },
	"count":     count,
	"day":       func(t *timestamppb.Timestamp) string { return t.AsTime().UTC().Format("2 January 2006") },
	"date":      func(t *timestamppb.Timestamp) string { return t.AsTime().UTC().Format(time.DateOnly) },
	"version":   versionDay,
	"priority":  func(p float64) string { return fmt.Sprintf("%.1f", p) },
	"money":     words,
	"rows":      rows,
	"helpline":  helpline,
}

// rows says how so many things stand: three beside each other where that leaves none alone, else with two wide ones first. It stands in the
// markup, before the first of them is drawn: a browser that reads a page piece by piece must not count them itself.
func rows(things int) string {
	if things%3 == 0 {
		return "thirds"
	}
	return "lead"
}

// helpline says whether a text names the helpline that ours name: the app shows the quick way out beside it.
func helpline(html string) bool { return strings.Contains(html, "116 123") }

// words are an amount's; that of nothing is zero.
func words(m interface {
	GetAmount() int64
	GetCurrency() string
},
) string {
	return money.Format(m.GetAmount(), m.GetCurrency())
}

// count is a number with its word, "1 article" or "1,204 articles".
func count(n int32, one, many string) string {
	word := many
	if n == 1 {
		word = one
	}
	return message.NewPrinter(language.BritishEnglish).Sprintf("%d %s", n, word)
}

// versionDay is the version of a text in words, "21 November 2026"; what is no date stands as it is.
func versionDay(version string) string {
	day, err := time.Parse(time.DateOnly, version)
	if err != nil {
		return version
	}
	return day.Format("2 January 2006")
}

// newFiller parses a template and tries it with an answer of the type it is for.
func newFiller(name string, html []byte, empty proto.Message) (*filler, error) {
	parsed, err := template.New(name).Funcs(functions).Option("missingkey=error").Parse(string(html))
	if err != nil {
		return nil, fmt.Errorf("is no template: %w", err)
	}
	f := &filler{parsed}
	trial := proto.Clone(empty)
	populate(trial.ProtoReflect())
	filled, err := f.fill(&Answer{Message: trial}, "", "")
	if err != nil {
		return nil, fmt.Errorf("cannot be filled with a %s: %w", trial.ProtoReflect().Descriptor().FullName(), err)
	}
	_, _, err = splitAtBoot(filled)
	return f, err
}

// fill makes the page. The message is shared and not changed.
func (f *filler) fill(a *Answer, title, description string) ([]byte, error) {
	message, err := protojson.Marshal(a.Message)
	if err != nil {
		return nil, err
	}
	answer, err := json.Marshal(struct {
		Own    bool            `json:"own"`
		Answer json.RawMessage `json:"answer"`
	}{a.own, message})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = f.template.Execute(&out, filling{
		Filter: a.filter,
		Title:  title, Description: description, Type: a.Type, Image: a.Image, Canonical: a.Canonical, Linked: a.Linked,
		Answer: answer, Page: a.Message,
	})
	return out.Bytes(), err
}

// populate sets every text, every message and one element of each list, as deep as the contract goes.
func populate(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		switch {
		case field.IsMap():
		case field.IsList() && field.Message() != nil:
			populate(m.Mutable(field).List().AppendMutable().Message())
		case field.IsList():
		case field.Message() != nil:
			populate(m.Mutable(field).Message())
		case field.Kind() == protoreflect.StringKind:
			m.Set(field, protoreflect.ValueOfString("x"))
		}
	}
}

var errNoAnswer = errors.New("there is no answer to fill the page with")
