package calls

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/stack"
)

func TestTheSignUpAPIAtTheProvidersRootMakesAMember(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	person := unregistered()
	call := func(operation string, body map[string]any) (int, map[string]any) {
		t.Helper()
		body["ClientId"], body["Username"] = stack.SignUpClient, person.Username
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, product.Stack.Issuer()+"/", strings.NewReader(string(raw)))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-amz-json-1.1")
		req.Header.Set("X-Amz-Target", "AWSCognitoIdentityProviderService."+operation)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = res.Body.Close() }()
		answer := map[string]any{}
		raw, err = io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &answer), string(raw))
		return res.StatusCode, answer
	}
	status, answer := call("SignUp", map[string]any{"Password": person.Password, "UserAttributes": []map[string]string{
		{"Name": "email", "Value": person.Email}, {"Name": "given_name", "Value": "Amara"}, {"Name": "family_name", "Value": "Lindqvist"},
	}})
	require.Equal(t, http.StatusOK, status, answer)
	code, err := product.Code(ctx, person.Email)
	require.NoError(t, err)
	status, answer = call("ConfirmSignUp", map[string]any{"ConfirmationCode": code})
	require.Equal(t, http.StatusOK, status, answer)
	require.NoError(t, person.SignIn(ctx), "and they sign in on the hosted page")
}
