package calls

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/access"
	"serein.app/deploy/e2e/harness"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

func TestTheServicesOwnCallsCannotBeReachedFromABrowser(t *testing.T) {
	t.Parallel()
	nothing, err := product.NewBrowser().Post(t.Context(), "/serein.nobody.v1.Nothing/Do", "{}")
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, nothing.StatusCode)
	inside := procedures(false)
	require.Greater(t, len(inside), 12)
	for _, path := range append(inside, "/grpc.health.v1.Health/Check", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "/metrics", "/debug/pprof/") {
		page, err := product.NewBrowser().Post(t.Context(), path, "{}")
		require.NoError(t, err)
		require.Equal(t, nothing.StatusCode, page.StatusCode, path)
		require.Equal(t, nothing.Body, page.Body, path)
		read, err := product.NewBrowser().Get(t.Context(), path+"?connect=v1&encoding=json&message=%7B%7D")
		require.NoError(t, err)
		require.Equal(t, http.StatusNotFound, read.StatusCode, path)
	}
}

func TestCallsThatOtherPagesMakeAreRefused(t *testing.T) {
	t.Parallel()
	foreign := map[string][]string{
		"without the header":     {"X-Serein", ""},
		"with another value":     {"X-Serein", "2"},
		"from another site":      {"Sec-Fetch-Site", "cross-site"},
		"from a sibling":         {"Sec-Fetch-Site", "same-site"},
		"from another origin":    {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		"from an unknown origin": {"Sec-Fetch-Site", "", "Origin", "null"},
	}
	for what, header := range foreign {
		for _, procedure := range procedures(true) {
			page, err := product.NewBrowser().Post(t.Context(), procedure, "{}", header...)
			require.NoError(t, err)
			require.Equal(t, http.StatusForbidden, page.StatusCode, "%s %s", procedure, what)
			if !strings.Contains(procedure, "Watch") { // a stream's refusal is framed
				require.Equal(t, "CROSS_SITE", harness.RefusalIn(page).Reason, "%s %s", procedure, what)
			}
		}
		requireNoSignUp(t, what, header)
	}
}

// requireNoSignUp: answers that would do are of no use from elsewhere.
func requireNoSignUp(t *testing.T, what string, header []string) {
	t.Helper()
	person := unregistered()
	answers, err := json.Marshal(panel(t, person))
	require.NoError(t, err)
	page, err := person.Post(t.Context(), webv1connect.AccountServiceSignUpProcedure, string(answers), header...)
	require.NoError(t, err)
	require.Equal(t, http.StatusForbidden, page.StatusCode, what)
	requireNobody(t, person, what)
}

func TestAHeaderNamesNobody(t *testing.T) {
	t.Parallel()
	member, err := product.NewMember(t.Context())
	require.NoError(t, err)
	token, err := product.ServiceToken("gateway", "generation")
	require.NoError(t, err)
	for _, header := range [][]string{
		{"X-User-Id", member.UID},
		{"X-Member", member.UID},
		{"Authorization", "Bearer " + token},
		{"Cookie", "__Host-serein=" + member.UID},
	} {
		page, err := product.NewBrowser().Post(t.Context(), webv1connect.JourneyServiceListBespokeProcedure, "{}", header...)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, page.StatusCode, header[0])
		require.Equal(t, "SIGN_IN_REQUIRED", harness.RefusalIn(page).Reason, header[0])
	}
}

// procedures are the paths of the calls of the gateway's own contract, or of all others.
func procedures(gateways bool) []string {
	var paths []string
	for _, m := range access.Methods() {
		if (m.Contract == "web") == gateways {
			paths = append(paths, m.Procedure)
		}
	}
	return paths
}
