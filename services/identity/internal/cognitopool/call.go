package cognitopool

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/smithy-go"
	"github.com/sony/gobreaker/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
)

// ErrAway is a pool that does not answer.
var ErrAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_PROVIDER_UNAVAILABLE, "You can’t sign up at the moment. Nothing is lost; please try again shortly.")

// sentenceMax bounds a sentence of the pool that is passed on, in bytes.
const sentenceMax = 300

// kinds are the pool's refusals that are passed on. Its triggers' are faults of what was sent.
var kinds = map[string]*errs.Error{
	"UsernameExistsException":        account.ErrUsernameExists,
	"AliasExistsException":           account.ErrAliasExists,
	"InvalidPasswordException":       account.ErrInvalidPassword,
	"InvalidParameterException":      account.ErrInvalidParameter,
	"CodeMismatchException":          account.ErrCodeMismatch,
	"ExpiredCodeException":           account.ErrExpiredCode,
	"NotAuthorizedException":         account.ErrNotAuthorized,
	"UserNotFoundException":          account.ErrUserNotFound,
	"TooManyRequestsException":       account.ErrTooManyRequests,
	"TooManyFailedAttemptsException": account.ErrLimitExceeded,
	"LimitExceededException":         account.ErrLimitExceeded,
	"UserNotConfirmedException":      account.ErrNotConfirmed,
	"PasswordResetRequiredException": account.ErrPasswordReset,
	"UserLambdaValidationException":  account.ErrInvalidParameter,
}

// call makes one call with its deadline, unless the pool is left alone for now, and counts how it ended.
func call[T any](ctx context.Context, p *Pool, operation string, do func(context.Context) (T, error)) (out T, err error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	answer, err := p.breaker.Execute(func() (any, error) { return do(ctx) })
	p.count(ctx, operation, err)
	if err != nil {
		return out, translate(err)
	}
	out, _ = answer.(T)
	return out, nil
}

func (p *Pool) count(ctx context.Context, operation string, err error) {
	outcome := "failed"
	switch {
	case err == nil:
		outcome = "done"
	case refusal(err):
		outcome = "refused"
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		outcome = "rested"
	}
	p.calls.Add(ctx, 1, metric.WithAttributes(attribute.String("operation", operation), attribute.String("outcome", outcome)))
}

// refusal says whether the pool answered, and said no.
func refusal(err error) bool {
	var answer smithy.APIError
	return errors.As(err, &answer) && kinds[answer.ErrorCode()] != nil
}

// translate passes a refusal on by its kind, in the pool's words where they are a sentence. All else is ours or the pool's fault:
// its client is not configured, it cannot send letters, or it does not answer.
func translate(err error) error {
	var answer smithy.APIError
	if !errors.As(err, &answer) || kinds[answer.ErrorCode()] == nil {
		return ErrAway.Because(err)
	}
	e := kinds[answer.ErrorCode()].Because(err)
	said := strings.TrimSpace(answer.ErrorMessage())
	if said != "" && len(said) <= sentenceMax && !strings.ContainsFunc(said, func(r rune) bool { return r < ' ' || r > '~' }) {
		e.Public = said
	}
	return e
}
