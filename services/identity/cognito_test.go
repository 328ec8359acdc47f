package identity_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/crowd"
)

func (b *harness) api(target, body string) (int, map[string]any, http.Header) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.server.URL+"/", strings.NewReader(body))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-amz-json-1.1")
	req.Header.Set("X-Amz-Target", target)
	res, err := b.server.Client().Do(req)
	require.NoError(b.t, err)
	defer func() { _ = res.Body.Close() }()
	answer := map[string]any{}
	require.NoError(b.t, json.NewDecoder(res.Body).Decode(&answer))
	return res.StatusCode, answer, res.Header
}

func TestTheSignUpAPIOfCognito(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	const service = "AWSCognitoIdentityProviderService."
	signUp := func(change func(map[string]any)) string {
		body := map[string]any{
			"ClientId": signUpClient, "Username": "amara", "Password": goodPassword,
			"UserAttributes": []map[string]string{{"Name": "email", "Value": "amara@example.org"}, {"Name": "given_name", "Value": "Amara"}, {"Name": "family_name", "Value": "Lindqvist"}},
		}
		change(body)
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		return string(raw)
	}
	same := func(map[string]any) {}

	status, answer, _ := b.api(service+"SignUp", signUp(same))
	require.Equal(t, http.StatusOK, status, answer)
	require.Equal(t, false, answer["UserConfirmed"])
	require.NotEmpty(t, answer["UserSub"])
	require.Equal(t, map[string]any{"AttributeName": "email", "DeliveryMedium": "EMAIL", "Destination": "a***@e***"}, answer["CodeDeliveryDetails"])
	code := b.nextMail().GetConfirmationCode().GetCode()

	for name, c := range map[string]struct{ target, body, want string }{
		"a taken username": {"SignUp", signUp(func(m map[string]any) { m["Password"] = "another three pebbles" }), "UsernameExistsException"},
		"a weak password":  {"SignUp", signUp(func(m map[string]any) { m["Password"], m["Username"] = "short", "x1y" }), "InvalidPasswordException"},
		"no address":       {"SignUp", signUp(func(m map[string]any) { m["UserAttributes"], m["Username"] = nil, "x1y" }), "InvalidParameterException"},
		"an odd attribute": {"SignUp", signUp(func(m map[string]any) { m["UserAttributes"] = []map[string]string{{"Name": "isGod", "Value": "true"}} }), "InvalidParameterException"},
		"under 16": {"SignUp", signUp(func(m map[string]any) {
			m["Username"] = "x1y"
			m["UserAttributes"] = append(m["UserAttributes"].([]map[string]string), map[string]string{"Name": "custom:age_confirmed", "Value": "false"})
		}), "InvalidParameterException"},
		"another client":      {"SignUp", signUp(func(m map[string]any) { m["ClientId"] = "x" }), "ResourceNotFoundException"},
		"a wrong code":        {"ConfirmSignUp", `{"ClientId":"serein-web","Username":"amara","ConfirmationCode":"nope"}`, "CodeMismatchException"},
		"an unknown user":     {"ConfirmSignUp", `{"ClientId":"serein-web","Username":"nobody","ConfirmationCode":"nope"}`, "CodeMismatchException"},
		"another operation":   {"AdminDeleteUser", `{"ClientId":"serein-web"}`, "UnknownOperationException"},
		"no JSON":             {"SignUp", `{`, "SerializationException"},
		"two JSONs":           {"SignUp", signUp(same) + "{}", "SerializationException"},
		"a number for a name": {"SignUp", `{"ClientId":"serein-web","Username":1}`, "SerializationException"},
		"far too much":        {"SignUp", `{"Username":"` + strings.Repeat("x", 100_000) + `"}`, "SerializationException"},
	} {
		status, answer, header := b.api(service+c.target, c.body)
		require.Equal(t, http.StatusBadRequest, status, name)
		require.Equal(t, c.want, answer["__type"], name)
		require.NotEmpty(t, answer["message"], name)
		require.Equal(t, c.want, header.Get("X-Amzn-Errortype"), name)
	}

	_, answer, _ = b.api("SignUp", "{}")
	require.Equal(t, "UnknownOperationException", answer["__type"])
	status, answer, _ = b.api(service+"ResendConfirmationCode", `{"ClientId":"serein-web","Username":"nobody"}`)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, answer, "CodeDeliveryDetails")
	_, answer, _ = b.api(service+"ResendConfirmationCode", `{"ClientId":"serein-web","Username":"nobody"}`)
	require.Equal(t, "LimitExceededException", answer["__type"])
	status, answer, _ = b.api(service+"ConfirmSignUp", `{"ClientId":"serein-web","Username":"amara","ConfirmationCode":"`+code+`"}`)
	require.Equal(t, http.StatusOK, status, answer)
	status, answer, _ = b.api(service+"ConfirmSignUp", `{"ClientId":"serein-web","Username":"AMARA","ConfirmationCode":"`+code+`"}`)
	require.Equal(t, http.StatusOK, status, "repeated it answers as before: %v", answer)

	var last string
	for range 5 * crowd.Size {
		_, answer, _ = b.api(service+"ConfirmSignUp", `{"ClientId":"serein-web","Username":"x","ConfirmationCode":"1"}`)
		last, _ = answer["__type"].(string)
	}
	require.Equal(t, "TooManyRequestsException", last, "one address cannot go on for ever")
}
