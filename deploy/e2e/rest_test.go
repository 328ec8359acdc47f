package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
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

func TestTheCurlLineOfEveryRESTCallWorks(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := member.MemberToken(t.Context(), stack.RESTScopes...)
	require.NoError(t, err)
	require.NoError(t, harness.Eventually(t.Context(), "the article of an example", func() (bool, error) { // a first start brings it in the background
		page, err := product.NewBrowser().Get(t.Context(), "/articles/plain-answers-for-a-first-sitting")
		return err == nil && page.StatusCode == http.StatusOK, err
	}))
	for _, call := range shownCalls(t) {
		status, body := curl(t, token, call.Curl)
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
		if call.OperationID == "MeditationService_GenerateMeditation" {
			var made struct {
				Data struct {
					Script   struct{ Title, Content string }
					AudioURL string `json:"audioUrl"`
				}
			}
			require.NoError(t, json.Unmarshal([]byte(body), &made), body)
			require.NotEmpty(t, made.Data.Script.Content)
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

// An app of somebody else's asks on a page of the house, and is told what the member says.
func TestAnAppOfSomebodyElseAsksTheMemberFirst(t *testing.T) {
	tab, _ := member(t, browser.Desk)
	address, asked := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := product.MemberToken(t.Context(), func(shown string) { address <- shown })
		asked <- err
	}()
	tab.Eval(fmt.Sprintf("location.href = %q", <-address))
	tab.See("heading", "Let The Companion in?")
	tab.Text("Make meditations for you, which spends your credits, and remove them")
	eachLook(tab, "consent")
	tab.Click("button", "Do not allow")
	require.Error(t, <-asked)
}

func TestThePageOfTheRESTCallsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	tab := visitor(t, browser.Desk)
	tab.Go("/api/docs")
	tab.See("heading", "Serein’s API")
	eachLook(tab, "api-docs")
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
