package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/harness"
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

// exampleMember is the uid in the document's examples.
const exampleMember = "0192f0c1-0000-7000-8000-00000000000a"

// curl runs a line of the document in a shell, with the member's session in place of the token:
// tokens of members are not given to programs yet.
func curl(t *testing.T, m *harness.Member, line string) (status, body string) {
	t.Helper()
	address, err := url.Parse(product.URL())
	require.NoError(t, err)
	var cookies []string
	for _, c := range m.Jar.Cookies(address) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	line = strings.ReplaceAll(line, exampleMember, m.UID)
	line = strings.Replace(line, `-H "Authorization: Bearer $TOKEN"`, `-H "X-Serein: 1" -H "Cookie: $COOKIE"`, 1)
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", line+` -w '\n%{http_code}'`)
	cmd.Env = append(os.Environ(), "SEREIN="+product.URL(), "COOKIE="+strings.Join(cookies, "; "))
	out, err := cmd.Output()
	require.NoError(t, err, line)
	end := bytes.LastIndexByte(out, '\n')
	return string(out[end+1:]), string(out[:end])
}

func TestTheCurlLineOfEveryRESTCallWorks(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	for _, call := range shownCalls(t) {
		status, body := curl(t, member, call.Curl)
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
			sound, err := member.Get(t.Context(), made.Data.AudioURL)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, sound.StatusCode)
		}
	}
}

func TestWithoutASessionOrATokenEveryRESTCallIsRefused(t *testing.T) {
	t.Parallel()
	visitor := &harness.Member{Browser: product.NewBrowser(), UID: exampleMember}
	for _, call := range shownCalls(t) {
		status, body := curl(t, visitor, call.Curl)
		require.Equal(t, "401", status, "%s\n%s", call.Curl, body)
	}
}

func TestThePageOfTheRESTCallsIsAccessibleAtEveryWidthAndInBothThemes(t *testing.T) {
	tab := visitor(t, browser.Desk)
	tab.Go("/api/docs")
	tab.See("heading", "Serein’s API")
	eachLook(tab, "api-docs")
}
