package gateway

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
	"serein.app/services/testkit/issuer"
)

// matrixFile is the one table of who may call what. Package e2e walks it on the running product;
// here the gateway's own contracts are walked, cell by cell.
const matrixFile = "../deploy/e2e/access/matrix.tsv"

// matrix reads the rows of the gateway's contracts: outcome by procedure and role.
func matrix(t *testing.T) (roles []string, rows map[string]map[string]string) {
	t.Helper()
	file, err := os.Open(matrixFile)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	lines := csv.NewReader(file)
	lines.Comma, lines.Comment = '\t', '#'
	table, err := lines.ReadAll()
	require.NoError(t, err)
	roles, rows = table[0][1:], map[string]map[string]string{}
	for _, row := range table[1:] {
		if !strings.HasPrefix(row[0], "/serein.web.v1.") && !strings.HasPrefix(row[0], "/serein.rest.v1.") {
			continue
		}
		rows[row[0]] = map[string]string{}
		for i, role := range roles {
			rows[row[0]][role] = row[i+1]
		}
	}
	return roles, rows
}

func TestEveryCallOfTheGatewayHasARow(t *testing.T) {
	t.Parallel()
	_, rows := matrix(t)
	for _, m := range append(webMethods(), methods(filesOf("serein.rest.v1")...)...) {
		require.Contains(t, rows, m.procedure)
		delete(rows, m.procedure)
	}
	require.Empty(t, rows, "rows of calls that do not exist")
}

// entitled is a running plan of a kind, as billing has them.
func entitled(kind billingv1.PlanKind, words ...string) *billingv1.Subscription {
	return &billingv1.Subscription{PlanId: "a-plan", PlanKind: kind, Active: true, Entitlements: words}
}

// tryer is somebody who tries every call.
type tryer struct {
	*browser
	authorization string
	uid, owner    string // own uid, and whose things are asked for
}

// as makes the tryer of a role, each on a separate stack, so that no call changes another's result.
func (s *stack) as(t *testing.T, role string) tryer {
	t.Helper()
	kind, who, _ := strings.Cut(role, ":")
	me := tryer{uid: s.uid(), owner: s.uid()}
	s.services.publish(example())
	switch kind {
	case "nobody", "visitor", "account", "service":
		me.browser = s.gateways[0].browser(t)
	case "another_member":
		me.browser, me.uid = s.other(t), someone
	default:
		me.browser = s.member(t)
	}
	switch kind {
	case "plan_member":
		s.services.subscribed(me.uid, entitled(billingv1.PlanKind_PLAN_KIND_MEMBER, "generator", "library", "articles", "journey", "top_up"))
	case "plan_generate":
		s.services.subscribed(me.uid, entitled(billingv1.PlanKind_PLAN_KIND_GENERATE, "generator", "journey", "top_up"))
	case "plan_enquiry":
		s.services.subscribed(me.uid, entitled(billingv1.PlanKind_PLAN_KIND_ENQUIRY))
	case "ended":
		s.services.subscribed(me.uid, &billingv1.Subscription{PlanId: "serein-core", PlanKind: billingv1.PlanKind_PLAN_KIND_MEMBER})
	case "admin":
		s.services.is(me.uid, true)
	case "account":
		scope := map[string]string{"serein-reports": "billing.ledger.read", "serein-other": "mail.read", "serein-program": everyScope}[who]
		require.NotEmpty(t, scope, "an account that this test does not know: %s", who)
		me.authorization = "Bearer " + s.accountOf(who, scope)
	case "service":
		signer, err := auth.NewSigner(who, testkit.Key(who))
		require.NoError(t, err)
		token, err := signer.Token("gateway", auth.Subject{UID: me.uid, Admin: true, Entitlements: []string{"generator", "library"}})
		require.NoError(t, err)
		me.authorization = "Bearer " + token
	}
	return me
}

// bodies of the calls of web.v1 that need more than an id.
var bodies = map[string]string{
	"SignUp": signUp, "ConfirmSignUp": `{"username":"ada","code":"123456"}`, "ResendConfirmationCode": `{"username":"ada"}`, "Generate": generateBody,
	"UpdateConsents": `{"consents":{"terms":true,"essentials":true,"termsVersion":"` + termsVersion + `"}}`,
	"MakeMeditation": `{"id":"` + mine + `"}`, "MakeArticle": `{"id":"` + mine + `"}`, "ChangeItem": `{"key":{"id":"on-rain"},"version":1,"step":"STEP_PUBLISH"}`,
	"GetItem": `{"key":{"id":"on-rain"}}`, "CreateItem": `{"key":{"id":"on-rain"}}`, "UpdateItem": `{"key":{"id":"on-rain"},"version":1}`,
	"RestoreRevision": `{"key":{"id":"on-rain"},"version":2,"revision":1}`, "UploadAsset": `{"id":"rain","fileName":"rain.png"}`,
	"GetMeditation": `{"id":"` + mine + `"}`, "CancelMeditation": `{"id":"` + mine + `"}`, "WatchMeditation": `{"id":"` + mine + `"}`,
	"MarkBespokeDeleted": `{"id":"` + mine + `"}`, "RecoverBespoke": `{"id":"` + mine + `"}`, "RenameBespoke": `{"id":"` + mine + `","title":"A night"}`,
	"GetShare": `{"id":"` + mine + `"}`, "ShareMeditation": `{"id":"` + mine + `"}`, "EndShare": `{"id":"` + mine + `"}`,
	"CreateDraft": generateBody,
	"GetDraft":    `{"id":"` + mine + `"}`, "ChangeLine": `{"id":"` + mine + `"}`, "RewriteLine": `{"id":"` + mine + `"}`, "DeleteDraft": `{"id":"` + mine + `"}`,
	"SetLike":   `{"item":{"kind":"ITEM_KIND_ARTICLE","id":"id-` + openSlug + `"},"liked":true}`,
	"SetSaved":  `{"item":{"kind":"ITEM_KIND_ARTICLE","id":"id-` + openSlug + `"},"saved":true}`,
	"ListSaved": `{"kind":"SAVED_KIND_LIBRARY"}`,
	"GetPlace":  heardLake + `}`, "StartListening": heardLake + `}`, "SavePlace": heardLake + `,"turn":"7","step":"1","durationMs":"492000"}`,
	"GetArticle": `{"slug":"` + membersSlug + `"}`, "GetText": `{"name":"about"}`,
	"GetCourse": `{"slug":"` + aCourse + `"}`, "StartCourse": `{"course":"` + aCourse + `"}`, "LeaveCourse": `{"course":"` + aCourse + `"}`,
	"MarkDay": `{"course":"` + aCourse + `","day":"first"}`, "UnmarkDay": `{"course":"` + aCourse + `","day":"first"}`,
	"AddEntry": `{"requestId":"` + mine + `","day":"2026-11-03","line":"Sat by myself."}`, "ChangeEntry": `{"id":"` + mine + `"}`, "RemoveEntry": `{"id":"` + mine + `"}`,
	"RestoreEntry": `{"id":"` + mine + `"}`,
	"SendMessage":  letterBody, "GetLibraryMeditation": `{"id":"` + lake + `"}`,
}

func (me tryer) headers() []string {
	headers := []string{"Content-Type", "application/json", "X-Serein", "1"}
	if me.authorization != "" {
		headers = append(headers, "Authorization", me.authorization)
	}
	return headers
}

// tryRPC calls a method of web.v1 and says what became of it.
func (me tryer) tryRPC(t *testing.T, procedure string) string {
	t.Helper()
	name := procedure[strings.LastIndex(procedure, "/")+1:]
	if name == "WatchMeditation" {
		first, over := me.watch(t, mine).next(t)
		if !over {
			return "allowed"
		}
		return map[any]string{"unauthenticated": "unauthenticated", "permission_denied": "forbidden", "not_found": "not-found"}[at(t, first, "error", "code")]
	}
	body := bodies[name]
	if body == "" {
		body = "{}"
	}
	return outcome(me.send(t, http.MethodPost, procedure, strings.NewReader(body), me.headers()...))
}

// operation is a REST call as the document has it.
type operation struct {
	verb, path, body string
}

// operations are the REST calls by procedure.
func (s *stack) operations(t *testing.T) map[string]operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			RequestBody struct {
				Content map[string]struct {
					Example json.RawMessage `json:"example"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.gateways[0].browser(t).get(t, "/api/openapi.json").body), &doc))
	found := map[string]operation{}
	for path, verbs := range doc.Paths {
		for verb, o := range verbs {
			service, method, _ := strings.Cut(o.OperationID, "_")
			found["/serein.rest.v1."+service+"/"+method] = operation{
				strings.ToUpper(verb), path, string(o.RequestBody.Content["application/json"].Example),
			}
		}
	}
	return found
}

func (me tryer) tryREST(t *testing.T, procedure string, o operation) string {
	t.Helper()
	switch procedure {
	case "/serein.rest.v1.UserService/GetUser":
		o.path += "?uid=" + me.owner
	case "/serein.rest.v1.MeditationService/ListBespokeMeditations":
		o.path += "?user_id=" + me.owner
	}
	return outcome(me.send(t, o.verb, o.path, strings.NewReader(o.body), me.headers()...))
}

func outcome(a answer) string {
	switch a.StatusCode {
	case http.StatusUnauthorized:
		return "unauthenticated"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusNotFound:
		return "not-found"
	}
	return "allowed"
}

func TestEveryCellOfTheAccessMatrixHoldsInTheGateway(t *testing.T) {
	t.Parallel()
	roles, rows := matrix(t)
	require.NotEmpty(t, rows)
	for _, role := range roles {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			s := start(t, 1, waiting(1))
			s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
			me := s.as(t, role)
			s.op.With(func(b *issuer.Behaviour) { b.Subject = s.uid() })
			operations := s.operations(t)
			order := make([]string, 0, len(rows))
			for procedure := range rows {
				order = append(order, procedure)
			}
			slices.SortFunc(order, func(a, b string) int { return lastOf(a) - lastOf(b) })
			for _, procedure := range order {
				var got string
				if o, ok := operations[procedure]; ok {
					got = me.tryREST(t, procedure, o)
				} else {
					got = me.tryRPC(t, procedure)
				}
				require.Equal(t, rows[procedure][role], got, "%s for %s", procedure, role)
			}
		})
	}
}

// lastOf puts the sign-out behind everything else.
func lastOf(procedure string) int {
	if strings.HasSuffix(procedure, "/SignOut") {
		return 1
	}
	return 0
}
