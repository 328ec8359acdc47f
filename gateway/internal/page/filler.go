package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
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

// functions are what templates have beside html/template's own: the twins, and what prints the build's own text.
var functions = func() template.FuncMap {
	all := maps.Clone(twins)
	all["verbatim"] = func(s string) template.HTML { return template.HTML(s) } //nolint:gosec // the build's own text
	return all
}()

// newFiller parses a template and tries it with an answer of the type it is for, in every way that it can go.
func newFiller(name string, html []byte, empty proto.Message) (*filler, error) {
	parsed, err := template.New(name).Funcs(functions).Option("missingkey=error").Parse(string(html))
	if err != nil {
		return nil, fmt.Errorf("is no template: %w", err)
	}
	f := &filler{parsed}
	trial := &Answer{Message: full(empty)}
	filled, err := f.fill(trial, "", "")
	if err == nil {
		err = try(name, html, filling{Page: trial.Message})
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be filled with a %s: %w", empty.ProtoReflect().Descriptor().FullName(), err)
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

var errNoAnswer = errors.New("there is no answer to fill the page with")
