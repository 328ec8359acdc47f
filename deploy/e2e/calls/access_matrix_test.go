package calls

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"serein.app/deploy/e2e/access"
	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/deploy/local/stack"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/auth"
)

// asked has the requests of the calls that are about a member's data: the test puts the member's uid,
// meditation and draft for {uid}, {meditation} and {draft}. All other requests are empty, which harms nothing: the product
// answers whether the caller may call before it does anything.
var asked = map[string]string{
	billingv1connect.LedgerServiceListLedgerEntriesProcedure:            `{"uid":"{uid}"}`,
	identityv1connect.UserServiceGetUserProcedure:                       `{"uid":"{uid}"}`,
	generationv1connect.MeditationServiceGetMeditationProcedure:         `{"id":"{meditation}"}`,
	generationv1connect.MeditationServiceWatchMeditationProcedure:       `{"id":"{meditation}"}`,
	generationv1connect.MeditationServiceCancelMeditationProcedure:      `{"id":"{meditation}"}`,
	generationv1connect.MeditationServiceMarkMeditationDeletedProcedure: `{"id":"{meditation}"}`,
	generationv1connect.MeditationServiceRecoverMeditationProcedure:     `{"id":"{meditation}"}`,
	generationv1connect.MeditationServiceRenameMeditationProcedure:      `{"id":"{meditation}","title":"A night"}`,
	generationv1connect.DraftServiceGetDraftProcedure:                   `{"id":"{draft}"}`,
	generationv1connect.DraftServiceChangeLineProcedure:                 `{"id":"{draft}"}`, // of no revision: nothing changes
	generationv1connect.DraftServiceRewriteLineProcedure:                `{"id":"{draft}"}`,
	generationv1connect.DraftServiceDeleteDraftProcedure:                `{"id":"{meditation}"}`, // which is none
	webv1connect.DraftServiceGetDraftProcedure:                          `{"id":"{draft}"}`,
	webv1connect.DraftServiceChangeLineProcedure:                        `{"id":"{draft}"}`,
	webv1connect.DraftServiceRewriteLineProcedure:                       `{"id":"{draft}"}`,
	webv1connect.DraftServiceDeleteDraftProcedure:                       `{"id":"{meditation}"}`,
	generationv1connect.ShareServiceShareMeditationProcedure:            `{"id":"{meditation}"}`,
	generationv1connect.ShareServiceGetShareProcedure:                   `{"id":"{meditation}"}`,
	generationv1connect.ShareServiceEndShareProcedure:                   `{"id":"{meditation}"}`,
	webv1connect.GeneratorServiceGetMeditationProcedure:                 `{"id":"{meditation}"}`,
	webv1connect.GeneratorServiceWatchMeditationProcedure:               `{"id":"{meditation}"}`,
	webv1connect.GeneratorServiceCancelMeditationProcedure:              `{"id":"{meditation}"}`,
	webv1connect.JourneyServiceMarkBespokeDeletedProcedure:              `{"id":"{meditation}"}`,
	webv1connect.JourneyServiceRecoverBespokeProcedure:                  `{"id":"{meditation}"}`,
	webv1connect.JourneyServiceRenameBespokeProcedure:                   `{"id":"{meditation}","title":"A night"}`,
	webv1connect.SharingServiceGetShareProcedure:                        `{"id":"{meditation}"}`,
	webv1connect.SharingServiceShareMeditationProcedure:                 `{"id":"{meditation}"}`,
	webv1connect.SharingServiceEndShareProcedure:                        `{"id":"{meditation}"}`,
	"/serein.rest.v1.UserService/GetUser":                               `uid={uid}`,
	"/serein.rest.v1.MeditationService/ListBespokeMeditations":          `user_id={uid}`,
	"/serein.rest.v1.SubscriptionService/SwitchSubscription":            `{"newPriceId":"serein-premium:month"}`, // nobody here pays for a plan
	"/serein.rest.v1.MeditationService/UpdateMeditationDeleteStatus":    `{"user_id":"{uid}","uid":"{meditation}","action":"mark"}`,
}

// caller is a role in flesh and blood.
type caller struct {
	role access.Role
	// browser of a person; with the cookies of a member who is signed in.
	browser *harness.Browser
	// subject is what the gateway says to services about the person; the zero Subject is a visitor.
	subject auth.Subject
	// token of a service account.
	token string
	// uid, meditation and draft are what the caller asks for.
	uid, meditation, draft string
}

func TestEveryCellOfTheAccessMatrixIsTrue(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	matrix, err := access.Load()
	require.NoError(t, err)
	paths := restPaths(t)
	var wrong []string
	for _, c := range callers(ctx, t) {
		for _, m := range inOrder(access.Methods()) {
			var got access.Outcome
			if m.Contract == "rest" {
				got = c.callREST(ctx, t, paths[m.Procedure], asked[m.Procedure])
			} else {
				got = c.callRPC(ctx, t, m)
			}
			if want := matrix[m.Procedure][c.role]; got != want {
				wrong = append(wrong, fmt.Sprintf("%s by %s: %s, not %s", m.Procedure, c.role, got, want))
			}
		}
	}
	require.Empty(t, wrong, strings.Join(wrong, "\n"))
}

// inOrder walks the call that ends the session last.
func inOrder(methods []access.Method) []access.Method {
	var last access.Method
	var ordered []access.Method
	for _, m := range methods {
		if m.Procedure == webv1connect.SessionServiceSignOutProcedure {
			last = m
			continue
		}
		ordered = append(ordered, m)
	}
	return append(ordered, last)
}

// plans are the plans that the test gives, in billing, to roles that have another plan than their trial.
var plans = map[access.Role]string{
	access.OnMember:   planOfKind("member"),
	access.OnGenerate: planOfKind("generate"),
	access.OnEnquiry:  planOfKind("enquiry"),
	access.Ended:      "starts_at = now() - interval '40 days', ends_at = now() - interval '1 second'",
}

func planOfKind(kind string) string {
	return "plan_id = (SELECT id FROM plans WHERE kind = '" + kind + "' ORDER BY sort_order LIMIT 1)"
}

func callers(ctx context.Context, t *testing.T) []*caller {
	t.Helper()
	all := persons(ctx, t)
	owner, another := ofRole(all, access.Member), ofRole(all, access.AnotherMember)
	another.uid, another.meditation, another.draft = owner.uid, owner.meditation, owner.draft
	everything := auth.Subject{UID: owner.uid, Admin: true, Entitlements: []string{"generator", "library", "articles", "journey", "top_up"}}
	for _, role := range access.Roles() {
		c := &caller{role: role, browser: product.NewBrowser(), subject: everything, uid: owner.uid, meditation: owner.meditation, draft: owner.draft}
		if client, ok := role.Account(); ok {
			scopes := map[string][]string{stack.ReportsClient: {ledgerScope}, stack.OtherClient: {"mail.read"}, stack.ProgramClient: stack.RESTScopes}[client]
			token, err := product.Token(ctx, client, scopes...)
			require.NoError(t, err)
			c.token = token
			all = append(all, c)
		}
		if _, ok := role.Service(); ok {
			all = append(all, c)
		}
	}
	return all
}

// persons are everybody with a browser.
func persons(ctx context.Context, t *testing.T) []*caller {
	t.Helper()
	var all []*caller
	for _, role := range access.Persons() {
		c := &caller{role: role, browser: product.NewBrowser()}
		all = append(all, c)
		if role != access.Nobody && role != access.Visitor {
			c.join(ctx, t)
		}
	}
	return all
}

func ofRole(all []*caller, role access.Role) *caller {
	return all[slices.IndexFunc(all, func(c *caller) bool { return c.role == role })]
}

// join makes the person a member with a meditation of their own, and gives the role's plan.
func (c *caller) join(ctx context.Context, t *testing.T) {
	t.Helper()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	made, err := m.Generate(ctx, harness.SmallRequest("Mine alone"))
	require.NoError(t, err)
	asked := harness.SmallRequest("Mine alone")
	written, err := m.Drafts.CreateDraft(ctx, &webv1.CreateDraftRequest{
		Title: asked.GetTitle(), TypeId: asked.GetTypeId(), PracticeId: asked.GetPracticeId(), SizeId: asked.GetSizeId(), IdempotencyKey: asked.GetIdempotencyKey(),
	})
	require.NoError(t, err)
	c.browser, c.uid, c.meditation, c.draft = m.Browser, m.UID, made.GetId(), written.GetDraft().GetId()
	if change, ok := plans[c.role]; ok {
		_, err := harness.SQL[string](ctx, product.Harness, "billing", "UPDATE subscriptions SET "+change+" WHERE uid = $1 RETURNING plan_id", c.uid)
		require.NoError(t, err)
	}
	suite.Cancel(ctx, t, m, made.GetId()) // the credit comes back, and the gateway asks billing for the subscription again
	c.subject = auth.Subject{UID: c.uid, Admin: c.role == access.Admin}
	if c.subject.Admin {
		require.NoError(t, product.Do(ctx, "identity", "grant-admin", m.Username))
	}
	account := &billingv1.GetAccountResponse{}
	require.NoError(t, dial(t, "billing").Invoke(harness.Bearer(ctx, c.proof(t, "gateway", "billing")),
		billingv1connect.AccountServiceGetAccountProcedure, &billingv1.GetAccountRequest{}, account))
	c.subject.Entitlements = account.GetSubscription().GetEntitlements()
	c.awaitRights(ctx, t)
}

// awaitRights waits until the gateway has forgotten what the member was before.
func (c *caller) awaitRights(ctx context.Context, t *testing.T) {
	t.Helper()
	require.NoError(t, harness.Eventually(ctx, "the rights of "+string(c.role), func(ctx context.Context) (bool, error) {
		page, err := c.browser.Get(ctx, "/api/staticMeditations", "X-Serein", "1")
		if err != nil || (page.StatusCode == http.StatusForbidden) == c.subject.Entitled("library") {
			return false, err
		}
		session, err := c.browser.Session.GetSession(ctx, &webv1.GetSessionRequest{})
		return session.GetMember().GetAdmin() == c.subject.Admin, err
	}))
}

// callRPC calls the gateway with the caller's browser, and a service as the gateway does for the
// caller; services and their accounts call everybody with what they have.
func (c *caller) callRPC(ctx context.Context, t *testing.T, m access.Method) access.Outcome {
	t.Helper()
	url, token := product.URL(), c.token
	if m.Contract != "web" {
		url = product.ServiceURL(m.Contract)
	}
	name, isService := c.role.Service()
	switch {
	case c.role == access.Nobody || c.token != "":
	case !isService && m.Contract != "web":
		token = c.proof(t, "gateway", m.Contract)
	case isService:
		audience := m.Contract
		if m.Contract == "web" {
			audience = "gateway"
		}
		token = c.proof(t, name, audience)
	}
	request := dynamicpb.NewMessage(m.Input)
	if text := c.fill(asked[m.Procedure]); text != "" {
		require.NoError(t, protojson.Unmarshal([]byte(text), request), m.Procedure)
	}
	body, err := proto.Marshal(request)
	require.NoError(t, err)
	err = c.ask(ctx, url, m.Procedure, body, token, strings.Contains(m.Procedure, "/Watch"))
	switch connect.CodeOf(err) {
	case connect.CodeUnauthenticated:
		return access.Unauthenticated
	case connect.CodePermissionDenied:
		return access.Forbidden
	case connect.CodeNotFound:
		return access.NotFound
	case connect.CodeInternal, connect.CodeUnimplemented, connect.CodeUnknown:
		if err != nil {
			return access.Outcome(err.Error())
		}
	default: // whatever became of it
	}
	return access.Allowed
}

func (c *caller) proof(t *testing.T, service, audience string) string {
	t.Helper()
	signer, err := auth.NewSigner(service, product.ServiceKey(service))
	require.NoError(t, err)
	token, err := signer.Token(audience, c.subject)
	require.NoError(t, err)
	return token
}

func (c *caller) fill(text string) string {
	return strings.NewReplacer("{uid}", c.uid, "{meditation}", c.meditation, "{draft}", c.draft).Replace(text)
}

// ask sends a message that stands in the unknown fields of an empty one: the method's own type
// is not needed.
func (c *caller) ask(ctx context.Context, url, procedure string, body []byte, token string, streams bool) error {
	client := connect.NewClient[emptypb.Empty, emptypb.Empty](c.browser, url+procedure)
	message := &emptypb.Empty{}
	message.ProtoReflect().SetUnknown(body)
	request := connect.NewRequest(message)
	if token != "" {
		request.Header().Set("Authorization", "Bearer "+token)
	}
	if !streams {
		_, err := client.CallUnary(ctx, request)
		return err
	}
	stream, err := client.CallServerStream(ctx, request)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	stream.Receive()
	return stream.Err()
}

// restPath is where a call of the REST contract is found.
type restPath struct{ verb, path string }

// restPaths reads the contract's own mapping.
func restPaths(t *testing.T) map[string]restPath {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "proto", "serein", "rest", "v1", "rest.yaml"))
	require.NoError(t, err)
	var mapping struct {
		HTTP struct{ Rules []map[string]string }
	}
	require.NoError(t, yaml.Unmarshal(content, &mapping))
	paths := map[string]restPath{}
	for _, rule := range mapping.HTTP.Rules {
		for _, verb := range []string{"get", "post", "put", "patch", "delete"} {
			if path := rule[verb]; path != "" {
				at := strings.LastIndex(rule["selector"], ".")
				paths["/"+rule["selector"][:at]+"/"+rule["selector"][at+1:]] = restPath{strings.ToUpper(verb), path}
			}
		}
	}
	return paths
}

func (c *caller) callREST(ctx context.Context, t *testing.T, at restPath, text string) access.Outcome {
	t.Helper()
	require.NotEmpty(t, at.path)
	address, body := product.URL()+at.path, []byte(nil)
	if at.verb == http.MethodGet {
		address += "?" + c.fill(text)
	} else if body = []byte(c.fill(text)); len(body) == 0 {
		body = []byte("{}")
	}
	req, err := http.NewRequestWithContext(ctx, at.verb, address, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	token := c.token
	if name, ok := c.role.Service(); ok {
		token = c.proof(t, name, "gateway")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := c.browser.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	switch res.StatusCode {
	case http.StatusUnauthorized:
		return access.Unauthenticated
	case http.StatusForbidden:
		return access.Forbidden
	case http.StatusNotFound:
		return access.NotFound
	case http.StatusInternalServerError:
		return access.Outcome(answer)
	}
	return access.Allowed
}
