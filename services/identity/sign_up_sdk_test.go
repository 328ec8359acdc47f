package identity_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognitoidp "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
)

// lossy is a network that loses the next answer on request: the service has done the call.
type lossy struct {
	next http.RoundTripper
	lose atomic.Bool
	sent atomic.Int32
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	l.sent.Add(1)
	res, err := l.next.RoundTrip(r)
	if err == nil && l.lose.Swap(false) {
		_ = res.Body.Close()
		return nil, errors.New("read: connection reset by peer")
	}
	return res, err
}

// sdk is the public SDK for Go, unmodified, on a network that may lose answers.
func (b *harness) sdk() (*cognitoidp.Client, *lossy) {
	network := &lossy{next: b.server.Client().Transport}
	return cognitoidp.New(cognitoidp.Options{
		Region: "eu-north-1", BaseEndpoint: &b.server.URL, HTTPClient: &http.Client{Transport: network},
	}), network
}

func attributes(email string) []types.AttributeType {
	return []types.AttributeType{
		{Name: aws.String("email"), Value: &email},
		{Name: aws.String("given_name"), Value: aws.String("Amara")},
		{Name: aws.String("family_name"), Value: aws.String("Lindqvist")},
	}
}

func signUpInput(username string) *cognitoidp.SignUpInput {
	return &cognitoidp.SignUpInput{
		ClientId: aws.String(signUpClient), Username: &username, Password: aws.String(goodPassword), UserAttributes: attributes(username + "@example.org"),
	}
}

func confirmInput(username, code string) *cognitoidp.ConfirmSignUpInput {
	return &cognitoidp.ConfirmSignUpInput{ClientId: aws.String(signUpClient), Username: &username, ConfirmationCode: &code}
}

func TestThePublicSDKForGoSignsUpAndKnowsEveryRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	ctx := t.Context()
	up, err := client.SignUp(ctx, signUpInput("amara"))
	require.NoError(t, err)
	require.False(t, up.UserConfirmed)
	require.Equal(t, "a***@e***", *up.CodeDeliveryDetails.Destination)
	require.Equal(t, types.DeliveryMediumTypeEmail, up.CodeDeliveryDetails.DeliveryMedium)
	first := b.nextMail().GetConfirmationCode().GetCode()

	var exists *types.UsernameExistsException
	taken := signUpInput("amara")
	taken.Password = aws.String("another three pebbles")
	_, err = client.SignUp(ctx, taken)
	require.ErrorAs(t, err, &exists)
	require.Equal(t, account.ErrUsernameExists.Public, exists.ErrorMessage())
	var weak *types.InvalidPasswordException
	short := signUpInput("nils")
	short.Password = aws.String("short")
	_, err = client.SignUp(ctx, short)
	require.ErrorAs(t, err, &weak)
	var parameter *types.InvalidParameterException
	twice := signUpInput("nils")
	twice.UserAttributes = append(twice.UserAttributes, twice.UserAttributes[0])
	_, err = client.SignUp(ctx, twice)
	require.ErrorAs(t, err, &parameter)
	var stranger *types.ResourceNotFoundException
	elsewhere := signUpInput("nils")
	elsewhere.ClientId = aws.String("another")
	_, err = client.SignUp(ctx, elsewhere)
	require.ErrorAs(t, err, &stranger)

	resent, err := client.ResendConfirmationCode(ctx, &cognitoidp.ResendConfirmationCodeInput{ClientId: aws.String(signUpClient), Username: aws.String("amara")})
	require.NoError(t, err)
	require.Equal(t, "email", *resent.CodeDeliveryDetails.AttributeName)
	code := b.nextMail().GetConfirmationCode().GetCode()
	var mismatch *types.CodeMismatchException
	_, err = client.ConfirmSignUp(ctx, confirmInput("amara", wrongCode(code)))
	require.ErrorAs(t, err, &mismatch)
	if first != code {
		_, err = client.ConfirmSignUp(ctx, confirmInput("amara", first))
		require.ErrorAs(t, err, &mismatch, "the code before it is over")
	}
	b.clock.Advance(account.CodeLife)
	var expired *types.ExpiredCodeException
	_, err = client.ConfirmSignUp(ctx, confirmInput("amara", code))
	require.ErrorAs(t, err, &expired)
	var limit *types.LimitExceededException
	for err = nil; !errors.As(err, &limit); {
		_, err = client.ConfirmSignUp(ctx, confirmInput("amara", wrongCode(code)), once)
		require.Error(t, err)
	}
	var many *types.TooManyRequestsException
	for err = nil; !errors.As(err, &many); {
		_, err = client.ConfirmSignUp(ctx, confirmInput("somebody", "1"), once)
		require.Error(t, err)
	}
}

// once tries a call once: what is refused for now is not sent again.
func once(o *cognitoidp.Options) { o.RetryMaxAttempts = 1 }

func TestACallWhoseAnswerWasLostSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, network := b.sdk()
	ctx := t.Context()
	again := func(make func() error) {
		t.Helper()
		network.sent.Store(0)
		network.lose.Store(true)
		require.NoError(t, make())
		require.EqualValues(t, 2, network.sent.Load(), "the SDK has sent it again")
	}
	var up *cognitoidp.SignUpOutput
	again(func() (err error) { up, err = client.SignUp(ctx, signUpInput("amara")); return err })
	require.Equal(t, 1, b.count(`SELECT count(*) FROM accounts WHERE uid = $1`, *up.UserSub), "the account that the first call made")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM codes`), "and one letter")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.user.registered.v1'`))
	b.nextMail()
	resend := &cognitoidp.ResendConfirmationCodeInput{ClientId: aws.String(signUpClient), Username: aws.String("amara")}
	again(func() error { _, err := client.ResendConfirmationCode(ctx, resend); return err })
	require.Equal(t, 2, b.count(`SELECT count(*) FROM codes`))
	var limit *types.LimitExceededException
	_, err := client.ResendConfirmationCode(ctx, resend, once)
	require.ErrorAs(t, err, &limit, "a person who presses the button again makes another call")
	code := b.nextMail().GetConfirmationCode().GetCode()
	again(func() error { _, err := client.ConfirmSignUp(ctx, confirmInput("amara", code)); return err })
	require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.user.confirmed.v1'`))
	_, err = client.ConfirmSignUp(ctx, confirmInput("amara", code))
	require.NoError(t, err, "from any caller")
	b.clock.Advance(account.CodeLife)
	_, err = client.ConfirmSignUp(ctx, confirmInput("amara", code))
	require.NoError(t, err, "however late")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.user.confirmed.v1'`), "and once")
}

func TestTheSameSignUpAgainWithinAMinuteIsTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	signUp := func(change func(*account.SignUp)) string {
		t.Helper()
		in := form("amara", "amara@example.org")
		change(&in)
		up, err := b.accounts.SignUp(ctx, in)
		require.NoError(t, err)
		return up.Subject
	}
	same := func(*account.SignUp) {}
	first := signUp(same)
	code := b.nextMail().GetConfirmationCode().GetCode()
	b.clock.Advance(account.RepeatLife - time.Second)
	require.Equal(t, first, signUp(same))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM codes`))
	second := signUp(func(in *account.SignUp) { in.Email = "amara.lindqvist@example.org" })
	require.NotEqual(t, first, second, "an address that was put right")
	b.nextMail()
	third := signUp(func(in *account.SignUp) { in.GivenName, in.Email = "Amara Maria", "amara.lindqvist@example.org" })
	require.NotEqual(t, second, third)
	b.clock.Advance(account.RepeatLife)
	require.NotEqual(t, third, signUp(func(in *account.SignUp) { in.GivenName, in.Email = "Amara Maria", "amara.lindqvist@example.org" }), "a person who waits for a letter gets another")
	require.ErrorIs(t, b.accounts.Confirm(ctx, here, "amara", code), account.ErrCodeMismatch)
}

func TestAStrangersFormsUseUpNoneOfTheOwnersAtAUsernameThatWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own := form("amara", "amara@exmaple.org")
	_, err := b.accounts.SignUp(t.Context(), own)
	require.NoError(t, err)
	for n := range 10 {
		stranger := form("amara", fmt.Sprintf("stranger%d@example.org", n))
		stranger.Password, stranger.Address = "another three pebbles", "198.51.100.7"
		_, err := b.accounts.SignUp(t.Context(), stranger)
		require.ErrorIs(t, err, account.ErrUsernameExists)
	}
	own.Email = "amara@example.org"
	_, err = b.accounts.SignUp(t.Context(), own)
	require.NoError(t, err, "the owner puts the address right")
	for n := range 100 {
		stranger := form("amara", fmt.Sprintf("stranger%d@example.net", n))
		stranger.Password, stranger.Address = "another three pebbles", fmt.Sprintf("198.51.100.%d", 10+n/5)
		_, err := b.accounts.SignUp(t.Context(), stranger)
		require.ErrorIs(t, err, account.ErrUsernameExists)
	}
	guessed := form("amara", "guesser@example.org")
	guessed.Address = "203.0.113.5"
	_, err = b.accounts.SignUp(t.Context(), guessed)
	require.ErrorIs(t, err, account.ErrUsernameExists, "guesses are bounded over all addresses")
}

func TestWhoeverSignsUpWithMyAddressEndsNoCodeOfMine(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	client, _ := b.sdk()
	_, err := client.SignUp(t.Context(), signUpInput("amara"))
	require.NoError(t, err)
	code := b.nextMail().GetConfirmationCode().GetCode()
	stranger := signUpInput("stranger")
	stranger.UserAttributes = attributes("amara@example.org")
	stranger.Password = aws.String("another three pebbles")
	_, err = client.SignUp(t.Context(), stranger)
	require.NoError(t, err)
	_, err = client.ResendConfirmationCode(t.Context(), &cognitoidp.ResendConfirmationCodeInput{ClientId: aws.String(signUpClient), Username: aws.String("stranger")})
	require.NoError(t, err)
	_, err = client.ConfirmSignUp(t.Context(), confirmInput("amara", code))
	require.NoError(t, err)
}
