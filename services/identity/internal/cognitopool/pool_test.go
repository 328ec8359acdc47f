package cognitopool_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/cognitopool"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	fake "serein.app/services/testkit/cognitopool"
)

func reach(t *testing.T) (*cognitopool.Pool, *fake.Pool) {
	t.Helper()
	there := fake.Start(t)
	cfg := cognitopool.Config{ClientID: fake.ClientID, ClientSecret: fake.ClientSecret, Region: "eu-north-1", Endpoint: there.URL}
	require.NoError(t, cfg.Validate())
	pool, err := cognitopool.New(cfg, testkit.Telemetry(t).Metrics.Meter("test"))
	require.NoError(t, err)
	return pool, there
}

var form = account.SignUp{
	Username: "amara", Email: "amara@example.org", GivenName: "Amara", FamilyName: "Lindqvist", Password: "three unrelated pebbles",
	AgeConfirmed: true, TermsVersion: account.VersionUnknown,
}

func TestPeopleSignUpInThePoolByCallsThatNobodySigns(t *testing.T) {
	t.Parallel()
	pool, there := reach(t)
	up, err := pool.SignUp(t.Context(), form)
	require.NoError(t, err)
	require.Equal(t, account.SignedUp{Subject: there.Sub("amara")}, up)
	require.NoError(t, pool.Resend(t.Context(), "", "amara"))
	require.ErrorIs(t, pool.Confirm(t.Context(), "", "amara", "000000"), account.ErrCodeMismatch)
	require.NoError(t, pool.Confirm(t.Context(), "", "amara", fake.Code))
	require.NoError(t, pool.ForgotPassword(t.Context(), "", "amara"))
	require.NoError(t, pool.ConfirmForgotPassword(t.Context(), "", "amara", fake.Code, "four other unrelated pebbles"))
	_, err = pool.SignUp(t.Context(), form)
	require.ErrorIs(t, err, account.ErrUsernameExists)
	require.ErrorIs(t, pool.Resend(t.Context(), "", "nobody"), account.ErrUserNotFound, "that pool tells")
	for _, call := range there.Calls() {
		require.False(t, call.Signed, call.Operation)
		require.Equal(t, fake.ClientID, call.Body["ClientId"])
	}
	require.Equal(t, []any{
		map[string]any{"Name": "email", "Value": "amara@example.org"},
		map[string]any{"Name": "given_name", "Value": "Amara"},
		map[string]any{"Name": "family_name", "Value": "Lindqvist"},
	}, there.Calls()[0].Body["UserAttributes"])
}

func TestWhoIsNotSixteenReachesNoPool(t *testing.T) {
	t.Parallel()
	pool, there := reach(t)
	young := form
	young.AgeConfirmed = false
	nameless := form
	nameless.Email = ""
	for _, in := range []account.SignUp{young, nameless} {
		_, err := pool.SignUp(t.Context(), in)
		require.ErrorIs(t, err, account.ErrInvalidParameter)
	}
	require.Empty(t, there.Calls())
}

func TestARefusalOfThePoolIsPassedOnByItsKindAndInItsWords(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]error{
		"UsernameExistsException": account.ErrUsernameExists, "AliasExistsException": account.ErrAliasExists,
		"InvalidPasswordException": account.ErrInvalidPassword, "InvalidParameterException": account.ErrInvalidParameter,
		"CodeMismatchException": account.ErrCodeMismatch, "ExpiredCodeException": account.ErrExpiredCode,
		"NotAuthorizedException": account.ErrNotAuthorized, "UserNotFoundException": account.ErrUserNotFound,
		"TooManyRequestsException": account.ErrTooManyRequests, "LimitExceededException": account.ErrLimitExceeded,
		"UserNotConfirmedException": account.ErrNotConfirmed, "PasswordResetRequiredException": account.ErrPasswordReset,
		"UserLambdaValidationException": account.ErrInvalidParameter,
		"ResourceNotFoundException":     cognitopool.ErrAway, "CodeDeliveryFailureException": cognitopool.ErrAway,
		"SomethingNewException": cognitopool.ErrAway,
	} {
		pool, there := reach(t)
		there.Refuse(fake.Refusal{Status: http.StatusBadRequest, Kind: kind, Message: "The pool's own sentence."})
		_, err := pool.SignUp(t.Context(), form)
		require.ErrorIs(t, err, want, kind)
		if errors.Is(want, cognitopool.ErrAway) {
			require.NotContains(t, errs.From(err).Public, "pool", kind)
		} else {
			require.Equal(t, "The pool's own sentence.", errs.From(err).Public, kind)
		}
		require.Len(t, there.Calls(), 1, "%s: once", kind)
		there.Refuse(fake.Refusal{Status: http.StatusBadRequest, Kind: kind, Message: "two\r\nlines"})
		_, err = pool.SignUp(t.Context(), form)
		require.NotContains(t, errs.From(err).Public, "\n", kind)
	}
}

func TestAPoolThatIsAwayIsLeftAloneAndCallersAreToldAtOnce(t *testing.T) {
	t.Parallel()
	pool, there := reach(t)
	there.Refuse(fake.Refusal{Status: http.StatusInternalServerError, Kind: "InternalErrorException"})
	for range 20 {
		require.ErrorIs(t, pool.Resend(t.Context(), "", "amara"), cognitopool.ErrAway)
	}
	require.Len(t, there.Calls(), 5)
}

func TestRefusalsAreNoReasonToLeaveThePoolAlone(t *testing.T) {
	t.Parallel()
	pool, there := reach(t)
	for range 20 {
		require.ErrorIs(t, pool.Confirm(t.Context(), "", "nobody", "1"), account.ErrUserNotFound)
	}
	require.Len(t, there.Calls(), 20)
}

func TestAPoolThatHangsHoldsNobodyWhoLeaves(t *testing.T) {
	t.Parallel()
	pool, there := reach(t)
	until := make(chan struct{})
	t.Cleanup(func() { close(until) })
	there.Hold(until)
	ctx, leave := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer leave()
	require.ErrorIs(t, pool.Resend(ctx, "", "amara"), cognitopool.ErrAway)
	for range 10 {
		ctx, leave := context.WithCancel(t.Context())
		leave()
		require.Error(t, pool.Resend(ctx, "", "amara"))
	}
	there.Hold(nil)
	_, err := pool.SignUp(t.Context(), form)
	require.NoError(t, err, "and nobody who leaves has it left alone")
}

func TestAPoolThatCannotBeReachedStopsTheStart(t *testing.T) {
	t.Parallel()
	require.NoError(t, cognitopool.Config{}.Validate(), "no pool")
	require.Error(t, cognitopool.Config{ClientID: "x"}.Validate())
	require.Error(t, cognitopool.Config{ClientID: "x", Region: "eu-north-1", Endpoint: "http://pool.example"}.Validate())
	require.NoError(t, cognitopool.Config{ClientID: "x", Region: "eu-north-1"}.Validate())
}
