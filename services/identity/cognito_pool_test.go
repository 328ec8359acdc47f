package identity_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognitoidp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/cognito"
	"serein.app/services/identity/internal/cognitopool"
	"serein.app/services/platform/clientip"
	"serein.app/services/testkit"
	fake "serein.app/services/testkit/cognitopool"
)

func TestAnExternalPoolAnswersTheSDKThroughTheSignUpAPI(t *testing.T) {
	t.Parallel()
	b := setup(t)
	there := fake.Start(t)
	pool, err := cognitopool.New(cognitopool.Config{ClientID: fake.ClientID, ClientSecret: fake.ClientSecret, Region: "eu-north-1", Endpoint: there.URL},
		testkit.Telemetry(t).Metrics.Meter("test"))
	require.NoError(t, err)
	mux := http.NewServeMux()
	cognito.New(cognito.Config{
		Registry: pool, Accounts: b.accounts, ClientID: signUpClient, Address: clientip.Proxies(nil).Key, NewID: newID, Log: b.log,
	}).Register(mux.Handle)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	network := &lossy{next: http.DefaultTransport}
	client := cognitoidp.New(cognitoidp.Options{Region: "eu-north-1", BaseEndpoint: &server.URL, HTTPClient: &http.Client{Transport: network}})
	ctx := t.Context()

	up, err := client.SignUp(ctx, signUpInput("amara"))
	require.NoError(t, err)
	require.Equal(t, there.Sub("amara"), *up.UserSub, "the subject that members will sign in with")
	network.lose.Store(true)
	_, err = client.ConfirmSignUp(ctx, confirmInput("amara", fake.Code))
	require.NoError(t, err)
	require.Len(t, there.Calls(), 2, "what was done is not asked of the pool again")
	var unknown *types.UserNotFoundException
	_, err = client.ForgotPassword(ctx, &cognitoidp.ForgotPasswordInput{ClientId: aws.String(signUpClient), Username: aws.String("nobody")})
	require.ErrorAs(t, err, &unknown)
	there.Refuse(fake.Refusal{Status: http.StatusBadRequest, Kind: "AliasExistsException", Message: "An account with the email already exists."})
	var alias *types.AliasExistsException
	_, err = client.ConfirmSignUp(ctx, confirmInput("nils", fake.Code))
	require.ErrorAs(t, err, &alias)
	require.Equal(t, "An account with the email already exists.", alias.ErrorMessage())
	there.Refuse(fake.Refusal{Status: http.StatusBadRequest, Kind: "PasswordResetRequiredException", Message: "Password reset required."})
	var demanded smithy.APIError
	_, err = client.ConfirmSignUp(ctx, confirmInput("nils", fake.Code))
	require.ErrorAs(t, err, &demanded)
	require.Equal(t, "PasswordResetRequiredException", demanded.ErrorCode(), "though the SDK has no type for it here")
	there.Refuse(fake.Refusal{Status: http.StatusInternalServerError, Kind: "InternalErrorException"})
	var away *types.InternalErrorException
	_, err = client.SignUp(ctx, signUpInput("nils"), once)
	require.ErrorAs(t, err, &away)
	require.Zero(t, b.count(`SELECT count(*) FROM accounts`), "no account is kept here")
}
