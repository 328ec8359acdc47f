package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/deploy/local/stack"
)

// shownCall is a REST call as the product's own document shows it.
type shownCall struct {
	OperationID string                     `json:"operationId"`
	Description string                     `json:"description"`
	Curl        string                     `json:"x-curl"`
	Responses   map[string]json.RawMessage `json:"responses"`
}

// shownCalls are all REST calls that the document shows.
func shownCalls(t *testing.T) []shownCall {
	t.Helper()
	page, err := product.NewBrowser().Get(t.Context(), "/api/openapi.json")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.StatusCode)
	var doc struct {
		Paths map[string]map[string]shownCall `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(page.Body), &doc))
	var calls []shownCall
	for _, verbs := range doc.Paths {
		for _, call := range verbs {
			calls = append(calls, call)
		}
	}
	require.Len(t, calls, 16)
	return calls
}

// curl runs a line of the document in a shell, as it stands, with that access token.
func curl(t *testing.T, token, line string) (status, body string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", line+` -w '\n%{http_code}'`)
	cmd.Env = append(os.Environ(), "SEREIN="+product.URL(), "TOKEN="+token)
	out, err := cmd.Output()
	require.NoError(t, err, line)
	end := bytes.LastIndexByte(out, '\n')
	return string(out[end+1:]), string(out[:end])
}

// untilDone repeats a call with one key until its work is done.
func untilDone(t *testing.T, token, line string) (status, body string) {
	t.Helper()
	line += ` -H "Idempotency-Key: ` + uuid.NewString() + `"`
	require.NoError(t, harness.Eventually(t.Context(), line, func(_ context.Context) (bool, error) {
		status, body = curl(t, token, line)
		return status != "202", nil
	}))
	return status, body
}

func TestTheCurlLineOfEveryRESTCallWorks(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := member.MemberToken(t.Context(), stack.RESTScopes...)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(t.Context(), "the article of an example", func(ctx context.Context) (bool, error) { // a first start brings it in the background
		page, err := product.NewBrowser().Get(ctx, "/articles/plain-answers-for-a-first-sitting")
		return err == nil && page.StatusCode == http.StatusOK, err
	}))
	var id string
	for _, call := range inLife(shownCalls(t)) {
		if call.OperationID == deleteCall { // the example's is nobody's
			call.Curl = regexp.MustCompile(`"uid":"[^"]+"`).ReplaceAllString(call.Curl, `"uid":"`+id+`"`)
		}
		if call.OperationID == switchCall {
			requireNothingToSwitch(t, token, call)
			product.Subscribe(t, member)
		}
		status, body := curl(t, token, call.Curl)
		if status == "202" { // its work takes longer than the call waits, and the document says so
			require.Contains(t, call.Responses, status, call.Curl)
			status, body = untilDone(t, token, call.Curl)
		}
		want := "200"
		if _, later := call.Responses["501"]; later {
			want = "501"
		}
		if strings.Contains(call.Description, "For admins") {
			want = "403"
		}
		require.Equal(t, want, status, "%s\n%s", call.Curl, body)
		if want != "200" {
			var failure struct{ Error, Reason, RequestID string }
			require.NoError(t, json.Unmarshal([]byte(body), &failure), body)
			require.NotEmpty(t, failure.Error, body)
			require.NotEmpty(t, failure.RequestID, body)
		}
		if call.OperationID == generateCall {
			var made struct {
				ID   string
				Data struct {
					Script   struct{ Title, Content string }
					AudioURL string `json:"audioUrl"`
				}
			}
			require.NoError(t, json.Unmarshal([]byte(body), &made), body)
			require.NotEmpty(t, made.Data.Script.Content)
			id = made.ID
			visitor := product.NewBrowser()
			sound, err := visitor.Get(t.Context(), made.Data.AudioURL, "Authorization", "Bearer "+token, "Range", "bytes=0-99")
			require.NoError(t, err)
			require.Equal(t, http.StatusPartialContent, sound.StatusCode, "the token that made it loads its sound")
			require.Len(t, sound.Body, 100)
			none, err := visitor.Get(t.Context(), made.Data.AudioURL)
			require.NoError(t, err)
			require.Equal(t, http.StatusUnauthorized, none.StatusCode)
		}
	}
}

const (
	switchCall   = "SubscriptionService_SwitchSubscription"
	generateCall = "MeditationService_GenerateMeditation"
	deleteCall   = "MeditationService_UpdateMeditationDeleteStatus"
)

// inLife puts the calls that change something last, in the order of a life: a meditation is made and deleted, a membership bought,
// changed and cancelled.
func inLife(calls []shownCall) []shownCall {
	life := []string{generateCall, deleteCall, "SubscriptionService_Checkout", switchCall, "SubscriptionService_CancelSubscription"}
	slices.SortStableFunc(calls, func(a, b shownCall) int {
		return slices.Index(life, a.OperationID) - slices.Index(life, b.OperationID)
	})
	return calls
}

// requireNothingToSwitch requires the sentence that programs know for a member on the trial, who has no plan to switch.
func requireNothingToSwitch(t *testing.T, token string, call shownCall) {
	t.Helper()
	status, body := curl(t, token, call.Curl)
	require.Equal(t, "404", status, body)
	require.Contains(t, body, `"Failed to switch subscription. Nothing was changed or charged. `)
}

// What is cancelled is kept where cancelAtPeriodEnd is false. What a request says of credits and names is not used.
func TestASubscriptionIsSwitchedCancelledAndKeptByREST(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := member.MemberToken(t.Context(), stack.RESTScopes...)
	require.NoError(t, err)
	product.Subscribe(t, member)
	answer := func(path, body string) (answer struct {
		Subscription struct {
			PlanName          string
			MeditationCredits int64
			CancelAtPeriodEnd bool
			WillCancelOn      float64
		}
	},
	) {
		status, text := curl(t, token, posted(path, "", body))
		require.Equal(t, "200", status, text)
		require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
		return answer
	}
	switched := answer("switch-subscription", `{"newPriceId":"serein-premium:month","updates":{"meditationCredits":900,"planName":"Mine"}}`)
	require.Equal(t, "Premium", switched.Subscription.PlanName)
	given := switched.Subscription.MeditationCredits
	require.Contains(t, []int64{suite.PremiumCredits - 1, suite.PremiumCredits}, given, "of the time that is left, in whole credits")
	cancelled := answer("cancel-subscription", `{"cancelAtPeriodEnd":true}`)
	require.True(t, cancelled.Subscription.CancelAtPeriodEnd)
	require.Positive(t, cancelled.Subscription.WillCancelOn)
	require.False(t, answer("cancel-subscription", `{"cancelAtPeriodEnd":false}`).Subscription.CancelAtPeriodEnd)
	suite.RequirePaid(t, member, 2, given, 0)
}

// A letter to a free recipient is an admin's or a program's to send; the same key of a sender is the same letter. An access token,
// which somebody else's app may hold, carries no powers of an admin.
func TestALetterToAnybodyIsAnAdminsOrAProgramsToSend(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := member.MemberToken(t.Context(), stack.RESTScopes...)
	require.NoError(t, err)
	program, err := product.Token(t.Context(), stack.ProgramClient, "serein.mail.send")
	require.NoError(t, err)
	reader, key := suite.NewPerson().Email, uuid.NewString()
	letter := `{"to":"` + reader + `","subject":"A quiet evening","html":"<p>Hello</p>"}`
	bySession := func() int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, product.URL()+"/api/sendMail", strings.NewReader(letter))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		res, err := member.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	byToken := func(token string) string {
		status, _ := curl(t, token, posted("sendMail", key, letter))
		return status
	}
	require.Equal(t, http.StatusForbidden, bySession())
	product.BecomeAdmin(t, member)
	require.Equal(t, "403", byToken(token))
	for range 2 {
		require.Equal(t, http.StatusOK, bySession())
		require.Equal(t, "200", byToken(program))
	}
	require.NoError(t, harness.Eventually(t.Context(), "the two letters", func(ctx context.Context) (bool, error) {
		mails, err := product.Mails(ctx, reader)
		return len(mails) == 2, err
	}))
	queued, err := harness.SQL[int](t.Context(), product.Harness, "mail", "SELECT count(*) FROM mails WHERE recipient = $1", reader)
	require.NoError(t, err)
	require.Equal(t, 2, queued)
}

// posted is a curl line as the document has them.
func posted(path, key, body string) string {
	line := `curl -sS -X POST "$SEREIN/api/` + path + `" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '` + body + `'`
	if key != "" {
		line += ` -H "Idempotency-Key: ` + key + `"`
	}
	return line
}

func TestWithoutASessionOrATokenEveryRESTCallIsRefused(t *testing.T) {
	t.Parallel()
	for _, call := range shownCalls(t) {
		status, body := curl(t, "", call.Curl)
		require.Equal(t, "401", status, "%s\n%s", call.Curl, body)
	}
}

func TestATokenOpensTheCallsOfItsScopesAlone(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := member.MemberToken(t.Context(), "serein.user.read")
	require.NoError(t, err)
	for _, call := range shownCalls(t) {
		want := "403"
		if call.OperationID == "UserService_GetUser" {
			want = "200"
		}
		status, body := curl(t, token, call.Curl)
		require.Equal(t, want, status, "%s\n%s", call.Curl, body)
	}
	program, err := product.Token(t.Context(), stack.ProgramClient, "serein.user.read")
	require.NoError(t, err)
	page, err := product.NewBrowser().Get(t.Context(), "/api/GetUser?uid="+member.UID, "Authorization", "Bearer "+program)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.StatusCode, page.Body)
	require.Contains(t, page.Body, member.Email)
}

func TestATokenInAMembersNameComesBackFromTheBrowserThatSignedIn(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := product.MemberToken(t.Context(), func(address string) {
		go func() { _, _ = member.LetIn(t.Context(), address) }()
	})
	require.NoError(t, err)
	page, err := product.NewBrowser().Get(t.Context(), "/api/GetUser", "Authorization", "Bearer "+token)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.StatusCode, page.Body)
	require.Contains(t, page.Body, member.Email)
}
