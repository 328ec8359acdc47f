package identity_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognitoidp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/platform/config"
)

// passwordAuth is a member's password in the hands of a client that proves itself with a secret.
func passwordAuth(client, secret, login, password string) *cognitoidp.InitiateAuthInput {
	return &cognitoidp.InitiateAuthInput{ClientId: &client, AuthFlow: types.AuthFlowTypeUserPasswordAuth, AuthParameters: map[string]string{
		"USERNAME": login, "PASSWORD": password, "SECRET_HASH": oidcop.SecretHash(config.Secret(secret), login, client),
	}}
}

// tokensOf signs a member in at the desk.
func tokensOf(t *testing.T, client *cognitoidp.Client, password string) *types.AuthenticationResultType {
	t.Helper()
	out, err := client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", password))
	require.NoError(t, err)
	return out.AuthenticationResult
}

func TestAClientOfOursThatIsConfiguredForItSignsMembersInWithTheirPassword(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	ctx := t.Context()
	amara := b.member("amara")
	tokens := tokensOf(t, client, goodPassword)
	require.Equal(t, int32(oidcop.TokenLife/time.Second), tokens.ExpiresIn)
	require.Equal(t, "Bearer", *tokens.TokenType)
	rp := b.rp()
	id, err := rp.provider.Verifier(&oidc.Config{ClientID: "desk", Now: b.clock.Now}).Verify(rp.ctx, *tokens.IdToken)
	require.NoError(t, err, "the provider's own ID token")
	require.Equal(t, amara.UID.String(), id.Subject)

	user, err := client.GetUser(ctx, &cognitoidp.GetUserInput{AccessToken: tokens.AccessToken})
	require.NoError(t, err)
	require.Equal(t, "amara", *user.Username)
	got := map[string]string{}
	for _, a := range user.UserAttributes {
		got[*a.Name] = *a.Value
	}
	require.Equal(t, map[string]string{
		"sub": amara.UID.String(), "given_name": "Amara", "family_name": "Lindqvist", "email": "amara@example.org", "email_verified": "true",
	}, got)

	renewed, err := client.GetTokensFromRefreshToken(ctx, &cognitoidp.GetTokensFromRefreshTokenInput{
		ClientId: aws.String("desk"), ClientSecret: aws.String(deskSecret), RefreshToken: tokens.RefreshToken,
	})
	require.NoError(t, err)
	require.NotEqual(t, *tokens.RefreshToken, *renewed.AuthenticationResult.RefreshToken)
	_, err = client.RevokeToken(ctx, &cognitoidp.RevokeTokenInput{
		ClientId: aws.String("desk"), ClientSecret: aws.String(deskSecret), Token: renewed.AuthenticationResult.RefreshToken,
	})
	require.NoError(t, err)
	var refused *types.NotAuthorizedException
	_, err = client.GetUser(ctx, &cognitoidp.GetUserInput{AccessToken: renewed.AuthenticationResult.AccessToken})
	require.ErrorAs(t, err, &refused, "what came of it has ended")
	_, err = client.GetTokensFromRefreshToken(ctx, &cognitoidp.GetTokensFromRefreshTokenInput{
		ClientId: aws.String("desk"), ClientSecret: aws.String(deskSecret), RefreshToken: renewed.AuthenticationResult.RefreshToken,
	})
	require.ErrorAs(t, err, &refused)
}

func TestNoOtherClientBringsPasswords(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	b.member("amara")
	before := b.work.Spent()
	for id, secret := range map[string]string{"gateway": gatewaySecret, "companion": serviceSecret, "reporter": serviceSecret, signUpClient: ""} {
		var off *types.InvalidParameterException
		_, err := client.InitiateAuth(t.Context(), passwordAuth(id, secret, "amara", goodPassword))
		require.ErrorAs(t, err, &off, id)
	}
	var refused *types.NotAuthorizedException
	_, err := client.InitiateAuth(t.Context(), passwordAuth("desk", gatewaySecret, "amara", goodPassword))
	require.ErrorAs(t, err, &refused, "with another's secret")
	in := passwordAuth("desk", deskSecret, "amara", goodPassword)
	in.AuthParameters["USERNAME"] = "nils"
	_, err = client.InitiateAuth(t.Context(), in)
	require.ErrorAs(t, err, &refused, "the hash is for one name")
	var unknown *types.ResourceNotFoundException
	_, err = client.InitiateAuth(t.Context(), passwordAuth("nobody", deskSecret, "amara", goodPassword))
	require.ErrorAs(t, err, &unknown)
	for _, flow := range []types.AuthFlowType{types.AuthFlowTypeUserSrpAuth, types.AuthFlowTypeCustomAuth, types.AuthFlowTypeRefreshTokenAuth, types.AuthFlowTypeAdminUserPasswordAuth} {
		in := passwordAuth("desk", deskSecret, "amara", goodPassword)
		in.AuthFlow = flow
		var off *types.InvalidParameterException
		_, err := client.InitiateAuth(t.Context(), in)
		require.ErrorAs(t, err, &off, flow)
	}
	require.Equal(t, before, b.work.Spent(), "no password was looked at")
}

func TestPasswordsOfTheAPIAreCountedAsThoseOfTheHostedPage(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	b.member("amara")
	for range 10 {
		var refused *types.NotAuthorizedException
		_, err := client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", "a guess of mine"))
		require.ErrorAs(t, err, &refused)
		require.Equal(t, account.ErrNotAuthorized.Public, refused.ErrorMessage())
	}
	var many *types.TooManyRequestsException
	_, err := client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", goodPassword), once)
	require.ErrorAs(t, err, &many)
	_, err = b.accounts.SignUp(t.Context(), form("nils", "nils@example.org"))
	require.NoError(t, err)
	var waits *types.UserNotConfirmedException
	_, err = client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "nils", goodPassword))
	require.ErrorAs(t, err, &waits)
	_, changed, err := b.store.RequireReset(t.Context(), "amara", b.clock.Now())
	require.NoError(t, err)
	require.True(t, changed)
	b.clock.Advance(account.CodeLife)
	var demanded *types.PasswordResetRequiredException
	_, err = client.InitiateAuth(t.Context(), passwordAuth("desk", deskSecret, "amara", goodPassword))
	require.ErrorAs(t, err, &demanded)
}

func TestAForgottenPasswordIsReplacedByTheSDKOnceAndAnswersLostOnTheWaySayWhatWasDone(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, network := b.sdk()
	ctx := t.Context()
	b.member("amara")
	tokens := tokensOf(t, client, goodPassword)
	network.lose.Store(true)
	forgot, err := client.ForgotPassword(ctx, &cognitoidp.ForgotPasswordInput{ClientId: aws.String(signUpClient), Username: aws.String("amara")})
	require.NoError(t, err)
	require.Equal(t, types.DeliveryMediumTypeEmail, forgot.CodeDeliveryDetails.DeliveryMedium)
	nobody, err := client.ForgotPassword(ctx, &cognitoidp.ForgotPasswordInput{ClientId: aws.String(signUpClient), Username: aws.String("nobody")})
	require.NoError(t, err)
	require.Equal(t, forgot.CodeDeliveryDetails, nobody.CodeDeliveryDetails, "without an account the answer is the same")
	code := b.nextMail().GetPasswordReset().GetCode()
	confirm := func(code, password string) error {
		_, err := client.ConfirmForgotPassword(ctx, &cognitoidp.ConfirmForgotPasswordInput{
			ClientId: aws.String(signUpClient), Username: aws.String("amara"), ConfirmationCode: &code, Password: &password,
		})
		return err
	}
	var mismatch *types.CodeMismatchException
	require.ErrorAs(t, confirm(wrongCode(code), otherPassword), &mismatch)
	var weak *types.InvalidPasswordException
	require.ErrorAs(t, confirm(code, "amara-lindqvist-1"), &weak)
	network.lose.Store(true)
	require.NoError(t, confirm(code, otherPassword))
	require.Error(t, confirm(code, otherPassword), "another call with a used code")
	var refused *types.NotAuthorizedException
	_, err = client.GetUser(ctx, &cognitoidp.GetUserInput{AccessToken: tokens.AccessToken})
	require.ErrorAs(t, err, &refused, "all that came of the old password has ended")
	tokensOf(t, client, otherPassword)
}

func TestAMemberChangesTheirPasswordAndSignsOutEverywhereThroughTheSDK(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, network := b.sdk()
	ctx := t.Context()
	b.member("amara")
	own, elsewhere := tokensOf(t, client, goodPassword), tokensOf(t, client, goodPassword)
	var refused *types.NotAuthorizedException
	change := func(present, password string) error {
		_, err := client.ChangePassword(ctx, &cognitoidp.ChangePasswordInput{AccessToken: own.AccessToken, PreviousPassword: &present, ProposedPassword: &password})
		return err
	}
	require.ErrorAs(t, change("a guess of mine", otherPassword), &refused)
	var weak *types.InvalidPasswordException
	require.ErrorAs(t, change(goodPassword, "short"), &weak)
	network.lose.Store(true)
	require.NoError(t, change(goodPassword, otherPassword))
	alive := func(tokens *types.AuthenticationResultType) bool {
		_, err := client.GetUser(ctx, &cognitoidp.GetUserInput{AccessToken: tokens.AccessToken})
		return !errors.As(err, &refused)
	}
	require.True(t, alive(own), "who changed it stays signed in")
	require.False(t, alive(elsewhere))

	elsewhere = tokensOf(t, client, otherPassword)
	network.lose.Store(true)
	_, err := client.GlobalSignOut(ctx, &cognitoidp.GlobalSignOutInput{AccessToken: own.AccessToken})
	require.NoError(t, err, "also when the first answer was lost, and the token has ended by it")
	require.False(t, alive(own))
	require.False(t, alive(elsewhere))
	_, err = client.GlobalSignOut(ctx, &cognitoidp.GlobalSignOutInput{AccessToken: own.AccessToken})
	require.ErrorAs(t, err, &refused)
	require.NotZero(t, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.session.ended.v1'`))
}

func TestAnAppOfSomebodyElseReadsWhatItMayAndChangesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	b.member("amara")
	token := b.browser().signIn(b.companion("email"), "amara")
	user, err := client.GetUser(t.Context(), &cognitoidp.GetUserInput{AccessToken: &token.AccessToken})
	require.NoError(t, err)
	require.Len(t, user.UserAttributes, 3, "sub, email and email_verified")
	require.NotEqual(t, "amara", *user.Username)
	var refused *types.NotAuthorizedException
	_, err = client.GlobalSignOut(t.Context(), &cognitoidp.GlobalSignOutInput{AccessToken: &token.AccessToken})
	require.ErrorAs(t, err, &refused)
	_, err = client.ChangePassword(t.Context(), &cognitoidp.ChangePasswordInput{
		AccessToken: &token.AccessToken, PreviousPassword: aws.String(goodPassword), ProposedPassword: aws.String(otherPassword),
	})
	require.ErrorAs(t, err, &refused)
	var many *types.TooManyRequestsException
	for err = nil; !errors.As(err, &many); {
		_, err = client.GetUser(t.Context(), &cognitoidp.GetUserInput{AccessToken: aws.String("no token")}, once)
		require.Error(t, err)
	}
	_, err = client.GetUser(t.Context(), &cognitoidp.GetUserInput{AccessToken: &token.AccessToken})
	require.NoError(t, err, "a good one is not counted")
}
