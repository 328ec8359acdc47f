package rest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"

	"serein.app/gateway/internal/csrf"
	"serein.app/gateway/internal/login"
	"serein.app/gateway/internal/roles"
	"serein.app/gateway/internal/session"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
)

// generated is the contract's part of the document: paths, parameters and shapes.
//
//go:embed openapi.swagger.json
var generated []byte

//go:embed docs.html.tmpl
var docsTemplate string

//go:embed docs.css
var docsStyle []byte

// docsPolicy lets the page use its own style, the app's icon, and nothing else.
const docsPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// document makes the OpenAPI document and the page that shows it.
func (a *API) document() (map[string]staticFile, error) {
	doc, err := a.openAPI()
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	written, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	html, err := docsPage(doc)
	if err != nil {
		return nil, fmt.Errorf("page of the OpenAPI document: %w", err)
	}
	page := staticFile{kind: "text/html; charset=utf-8", policy: docsPolicy, body: html}
	return map[string]staticFile{
		"/api/openapi.json": {kind: "application/json", body: written},
		"/api/docs.css":     {kind: "text/css; charset=utf-8", body: docsStyle},
		"/api/docs":         page, "/api/": page,
	}, nil
}

// openAPI completes the generated part with what only the gateway knows: who may call, how calls
// fail, and examples.
func (a *API) openAPI() (*openapi3.T, error) {
	var contract openapi2.T
	if err := json.Unmarshal(generated, &contract); err != nil {
		return nil, err
	}
	doc, err := openapi2conv.ToV3(&contract)
	if err != nil {
		return nil, err
	}
	doc.Info = &openapi3.Info{
		Title: "Serein", Version: "1",
		Description: "The calls of Serein for programs. Bring an access token of Serein's provider with the call's scope in " +
			"`Authorization: Bearer …`: a member's token acts for its member, a service account's for the member that the call names. " +
			"Serein's own pages call with their session. Every answer carries " + RequestIDHeader + ".",
	}
	doc.Servers = openapi3.Servers{{URL: a.PublicURL}}
	doc.Components.SecuritySchemes = openapi3.SecuritySchemes{
		"token": {Value: openapi3.NewOIDCSecurityScheme(a.Issuer + "/.well-known/openid-configuration")},
		"session": {Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("cookie").WithName(session.CookieName).
			WithDescription("The session of a member who has signed in with a browser.")},
		"ownPage": {Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName(csrf.Header).
			WithDescription(`"1": sent by Serein's own pages beside the session.`)},
	}
	doc.Components.Schemas["Error"] = openapi3.NewSchemaRef("", errorSchema())
	for i := range calls {
		c := &calls[i]
		item := doc.Paths.Find(c.path)
		if item == nil || item.GetOperation(c.verb) == nil {
			return nil, fmt.Errorf("%s %s is not in the contract", c.verb, c.path)
		}
		if err := complete(item.GetOperation(c.verb), c); err != nil {
			return nil, fmt.Errorf("%s %s: %w", c.verb, c.path, err)
		}
	}
	return doc, nil
}

func errorSchema() *openapi3.Schema {
	text := func(what string) *openapi3.Schema {
		s := openapi3.NewStringSchema()
		s.Description = what
		return s
	}
	s := openapi3.NewObjectSchema().
		WithProperty("error", text("A sentence for people.")).
		WithProperty("reason", text("A word for programs: one of serein.errors.v1.Reason, without its prefix.")).
		WithProperty("requestId", text("The request's id, as in "+RequestIDHeader+".")).
		WithProperty("field", text("The field at fault, where one is."))
	s.Required = []string{"error", "reason", "requestId"}
	return s
}

// complete adds to one operation who may call it, its failures and its examples.
func complete(o *openapi3.Operation, c *call) error {
	o.Security = &openapi3.SecurityRequirements{{"token": {c.scope}}, {"session": {}, "ownPage": {}}}
	o.Summary, o.Description = c.sentences(o)
	o.Extensions = map[string]any{"x-curl": c.curl()}
	for _, f := range c.failures() {
		o.Responses.Set(strconv.Itoa(f.status), &openapi3.ResponseRef{Value: f.response()})
	}
	if c.generates {
		later := openapi3.NewResponse().WithDescription("It is still being made; look at Location.").
			WithJSONSchemaRef(o.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema)
		later.Headers = openapi3.Headers{"Location": {Value: &openapi3.Header{Parameter: openapi3.Parameter{
			Schema: openapi3.NewSchemaRef("", openapi3.NewStringSchema()), Description: "Where the meditation will be.",
		}}}}
		later.Content.Get("application/json").Example = map[string]any{"id": exampleID}
		o.Responses.Set("202", &openapi3.ResponseRef{Value: later})
		o.AddParameter(openapi3.NewHeaderParameter(idempotencyHeader).WithSchema(openapi3.NewStringSchema().WithMaxLength(maxKey)).
			WithDescription("A key of the caller's own: the same key is the same meditation, made and charged once."))
	}
	if c.body != "" {
		if err := json.Unmarshal([]byte(c.body), &o.RequestBody.Value.Content.Get("application/json").Example); err != nil {
			return err
		}
	}
	if c.answer == "" {
		return nil
	}
	return json.Unmarshal([]byte(c.answer), &o.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Example)
}

// sentences say what the call does and who may make it, the first without the method's name: it
// reads "answers a member's record" there.
func (c *call) sentences(o *openapi3.Operation) (summary, description string) {
	_, said, _ := strings.Cut(o.Summary, " ")
	if said != "" {
		said = strings.ToUpper(said[:1]) + said[1:]
	}
	whoMay := map[roles.Role]string{
		roles.Members: "For members", roles.Subscribers: "For members whose plan includes it", roles.Admins: "For admins",
		roles.SubscribersAndAdmins: "For members whose plan includes it, for admins",
	}[c.role]
	if c.accounts {
		whoMay += " and service accounts"
	}
	parts := []string{strings.ReplaceAll(o.Description, "\n", " "), whoMay + ". Scope: `" + c.scope + "`."}
	if sentence, ok := NotBuilt[c.verb+" "+c.path]; ok {
		parts = append(parts, "Not built yet: "+sentence)
	}
	return said, strings.TrimSpace(strings.Join(parts, " "))
}

// refusal is one way to fail, for the document.
type refusal struct {
	status                  int
	what, sentence, because string
}

func (c *call) failures() []refusal {
	all := []refusal{
		{http.StatusBadRequest, "The request is not right; field says where.", rpc.ErrInvalid.Public, rpc.ErrInvalid.Word()},
		{http.StatusUnauthorized, "Nobody is signed in, and no token is good.", login.ErrCaller.Public, login.ErrCaller.Word()},
		{http.StatusForbidden, "The scope, role or plan is missing, or the call came from another site.", login.ErrScope.Public, login.ErrScope.Word()},
		{http.StatusTooManyRequests, "Too many calls; Retry-After says when.", guard.ErrTooMany.Public, guard.ErrTooMany.Word()},
		{http.StatusInternalServerError, "Something went wrong on our side.", "Something went wrong on our side. Please try again.", "INTERNAL"},
		{http.StatusServiceUnavailable, "A part of Serein is away.", "We can’t reach that part of Serein at the moment. Please try again.", "UNAVAILABLE"},
		{http.StatusGatewayTimeout, "It took too long.", "That took too long. Please try again.", "DEADLINE_EXCEEDED"},
	}
	if c.body != "" {
		all = append(all,
			refusal{http.StatusRequestTimeout, "The body took too long to arrive.", guard.ErrSlowBody.Public, guard.ErrSlowBody.Word()},
			refusal{http.StatusRequestEntityTooLarge, "The body is longer than 64 KiB.", guard.ErrTooLarge.Public, guard.ErrTooLarge.Word()},
			refusal{http.StatusUnsupportedMediaType, "The body is not JSON.", errMedia.Public, errMedia.Word()})
	}
	all = append(all, c.also...)
	if sentence, ok := NotBuilt[c.verb+" "+c.path]; ok {
		all = append(all, refusal{http.StatusNotImplemented, "Not built yet.", sentence, errNotBuilt.Word()})
	}
	for i, f := range all {
		all[i].sentence = c.sentence(f.status, f.sentence)
	}
	return all
}

func (f refusal) response() *openapi3.Response {
	r := openapi3.NewResponse().WithDescription(f.what).
		WithJSONSchemaRef(openapi3.NewSchemaRef("#/components/schemas/Error", errorSchema()))
	r.Content.Get("application/json").Example = map[string]any{
		"error": f.sentence, "reason": f.because, "requestId": "4K7QW2J5ZB3T6XN2R5HC3V6YAM",
	}
	return r
}

// docsPage shows the document: no script, our own style, nothing from elsewhere.
func docsPage(doc *openapi3.T) ([]byte, error) {
	page, err := template.New("docs").Funcs(template.FuncMap{"anchor": anchor, "pretty": pretty, "prose": prose}).Parse(docsTemplate)
	if err != nil {
		return nil, err
	}
	var shown struct {
		Info  *openapi3.Info
		Calls []shownCall
	}
	shown.Info = doc.Info
	for i := range calls {
		c := &calls[i]
		_, later := NotBuilt[c.verb+" "+c.path]
		shown.Calls = append(shown.Calls, shownCall{
			Verb: c.verb, Path: c.path, Scope: c.scope, Curl: c.curl(), NotBuilt: later, Answer: c.answer,
			Operation: doc.Paths.Find(c.path).GetOperation(c.verb), Failures: c.failures(),
		})
	}
	var out bytes.Buffer
	err = page.Execute(&out, shown)
	return out.Bytes(), err
}

type shownCall struct {
	Verb, Path, Scope, Curl, Answer string
	NotBuilt                        bool
	Operation                       *openapi3.Operation
	Failures                        []refusal
}

// Status, What and Reason are for the page.
func (f refusal) Status() int    { return f.status }
func (f refusal) What() string   { return f.what }
func (f refusal) Reason() string { return f.because }

func anchor(verb, path string) string {
	return strings.ToLower(verb) + strings.NewReplacer("/api/", "-", "/", "-").Replace(path)
}

// quoted is what OpenAPI's Markdown sets as code.
var quoted = regexp.MustCompile("`([^`]+)`")

// prose shows a description of the document with its code as code.
func prose(text string) template.HTML {
	return template.HTML(quoted.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>")) //nolint:gosec // escaped, and our own text
}

func pretty(raw string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(raw), "", "  ") != nil {
		return raw
	}
	return out.String()
}
