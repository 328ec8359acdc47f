package calls

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

const (
	override = "\u202e" // turns what follows from right to left
	markup   = "<img src=x onerror=alert(1)>"
)

// badAnswers of the sign-up panel: a field, what stands in it, and the reason it is refused for.
var badAnswers = []struct{ field, value, reason string }{
	{"username", "", "INVALID_ARGUMENT"},
	{"username", "ab", "INVALID_ARGUMENT"},
	{"username", strings.Repeat("a", 33), "INVALID_ARGUMENT"},
	{"username", strings.Repeat("a", 129), "INVALID_ARGUMENT"},
	{"username", "amara\x00lind", "INVALID_ARGUMENT"},
	{"username", "amara\nlind", "INVALID_ARGUMENT"},
	{"username", "amara🙂", "INVALID_ARGUMENT"},
	{"username", override + "amara", "INVALID_ARGUMENT"},
	{"username", markup, "INVALID_ARGUMENT"},
	{"username", "аmara", "INVALID_PARAMETER"}, // the first letter is Cyrillic
	{"email", "", "INVALID_ARGUMENT"},
	{"email", "amara", "INVALID_ARGUMENT"},
	{"email", strings.Repeat("a", 250) + "@example.org", "INVALID_ARGUMENT"},
	{"email", strings.Repeat("a", 320) + "@example.org", "INVALID_ARGUMENT"},
	{"email", "amara@example.org\r\nBcc: all@example.org", "INVALID_ARGUMENT"},
	{"email", "amara🙂@example.org", "INVALID_PARAMETER"},
	{"email", override + "amara@example.org", "INVALID_PARAMETER"},
	{"email", markup + "@example.org", "INVALID_ARGUMENT"},
	{"given_name", "", "INVALID_ARGUMENT"},
	{"given_name", strings.Repeat("a", 101), "INVALID_ARGUMENT"},
	{"given_name", strings.Repeat("a", 257), "INVALID_ARGUMENT"},
	{"given_name", "Ama\x00ra", "INVALID_PARAMETER"},
	{"given_name", "Amara\r\nBcc: all@example.org", "INVALID_PARAMETER"},
	{"given_name", override + "Amara", "INVALID_PARAMETER"},
	{"family_name", "  ", "INVALID_PARAMETER"},
	{"family_name", strings.Repeat("a", 101), "INVALID_ARGUMENT"},
	{"family_name", "Lind\x1bqvist", "INVALID_PARAMETER"},
	{"family_name", "Lindqvist" + override, "INVALID_PARAMETER"},
	{"password", "", "INVALID_ARGUMENT"},
	{"password", "too-short", "INVALID_ARGUMENT"},
	{"password", strings.Repeat("ab-", 43), "INVALID_ARGUMENT"},
	{"password", strings.Repeat("🙂", 257), "INVALID_ARGUMENT"},
	{"password", "1234567890", "INVALID_PASSWORD"},
}

func TestABadAnswerOfTheSignUpPanelIsNamedAndChangesNothing(t *testing.T) {
	t.Parallel()
	for _, bad := range badAnswers {
		person := unregistered()
		answers := panel(t, person)
		answers[bad.field] = bad.value
		refused := signUp(t, person, answers)
		what := fmt.Sprintf("%s %.40q", bad.field, bad.value)
		require.Equal(t, harness.Refusal{Code: "invalid_argument", Reason: bad.reason, Field: bad.field, Message: refused.Message}, refused, what)
		require.NotEmpty(t, refused.Message, what)
		requireNobody(t, person, what)
	}
}

func TestAnAnswerOfTheWrongTypeIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	for field := range panel(t, unregistered()) {
		for _, value := range []any{12, []string{"amara"}, map[string]any{"a": 1}} {
			person := unregistered()
			answers := panel(t, person)
			answers[field] = value
			refused := signUp(t, person, answers)
			require.Equal(t, "invalid_argument", refused.Code, field)
			require.Equal(t, "INVALID_ARGUMENT", refused.Reason, field)
			requireNobody(t, person, field)
		}
	}
}

func TestOnlyPeopleOfSixteenAreTaken(t *testing.T) {
	t.Parallel()
	person := unregistered()
	answers := panel(t, person)
	answers["age_confirmed"] = false
	refused := signUp(t, person, answers)
	require.Equal(t, []string{"INVALID_PARAMETER", "age_confirmed"}, []string{refused.Reason, refused.Field})
	requireNobody(t, person, "age")
}

// Names are text in any script, and harmless wherever they are shown.
func TestNamesOfAnyScriptAreKeptAndHarmless(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	person := unregistered()
	answers := panel(t, person)
	answers["given_name"], answers["family_name"] = "أمارا 🙂", markup
	require.Zero(t, signUp(t, person, answers))
	code, err := product.Code(ctx, person.Email)
	require.NoError(t, err)
	_, err = person.Account.ConfirmSignUp(ctx, &webv1.ConfirmSignUpRequest{Username: person.Username, Code: code})
	require.NoError(t, err)
	require.NoError(t, person.SignIn(ctx))
	session, err := person.Session.GetSession(ctx, &webv1.GetSessionRequest{})
	require.NoError(t, err)
	require.Equal(t, []string{"أمارا 🙂", markup}, []string{session.GetMember().GetGivenName(), session.GetMember().GetFamilyName()})

	mails, err := product.Mails(ctx, person.Email)
	require.NoError(t, err)
	for _, mail := range mails {
		require.NotContains(t, mail.HTML, markup)
	}
	page, err := person.Get(ctx, "/journey")
	require.NoError(t, err)
	require.NotContains(t, page.Body, markup, "nor in the page's data")
}

// unregistered is somebody without an account.
func unregistered() *harness.Member {
	name := "nobody" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	return &harness.Member{Browser: product.NewBrowser(), Username: name, Email: name + "@example.org", Password: harness.Password}
}

// panel is what the person writes into the sign-up panel, as JSON.
func panel(t *testing.T, m *harness.Member) map[string]any {
	t.Helper()
	version, err := m.TermsVersion(t.Context())
	require.NoError(t, err)
	answers := m.Answers(version)
	return map[string]any{
		"username": answers.GetUsername(), "email": answers.GetEmail(), "password": answers.GetPassword(),
		"given_name": answers.GetGivenName(), "family_name": answers.GetFamilyName(), "age_confirmed": true, "terms_version": answers.GetTermsVersion(),
	}
}

func signUp(t *testing.T, m *harness.Member, answers map[string]any) harness.Refusal {
	t.Helper()
	body, err := json.Marshal(answers)
	require.NoError(t, err)
	page, err := m.Post(t.Context(), webv1connect.AccountServiceSignUpProcedure, string(body))
	require.NoError(t, err)
	return harness.RefusalIn(page)
}

// requireNobody: there is no account of that username or address, and nobody was written to.
func requireNobody(t *testing.T, m *harness.Member, what string) {
	t.Helper()
	found, err := harness.SQL[int](t.Context(), product.Harness, "identity",
		"SELECT count(*) FROM accounts WHERE username = $1 OR email = $2", m.Username, m.Email)
	require.NoError(t, err)
	require.Zero(t, found, what)
	mails, err := harness.SQL[int](t.Context(), product.Harness, "mail", "SELECT count(*) FROM mails WHERE recipient = $1", m.Email)
	require.NoError(t, err)
	require.Zero(t, mails, what)
}
