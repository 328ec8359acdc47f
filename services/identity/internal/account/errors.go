package account

import (
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// The refusals of this service: the kinds that the sign-up API names. Their reasons never change.
var (
	ErrUsernameExists   = errs.New(errs.Conflict, errorsv1.Reason_REASON_USERNAME_EXISTS, "That username is taken. Please choose another.").On("username")
	ErrAliasExists      = errs.New(errs.Conflict, errorsv1.Reason_REASON_ALIAS_EXISTS, "That email address belongs to another account.").On("email")
	ErrInvalidPassword  = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_PASSWORD, "You can’t use that password.").On("password")
	ErrInvalidParameter = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_PARAMETER, "Signup failed.")
	ErrCodeMismatch     = errs.New(errs.Invalid, errorsv1.Reason_REASON_CODE_MISMATCH, "That code does not match. Please check it and try again.").On("code")
	ErrExpiredCode      = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_EXPIRED_CODE, "That code no longer works. Please ask for a new one.").On("code")
	ErrNotAuthorized    = errs.New(errs.Unauthenticated, errorsv1.Reason_REASON_NOT_AUTHORIZED, "Incorrect username or password.")
	ErrUserNotFound     = errs.New(errs.NotFound, errorsv1.Reason_REASON_USER_NOT_FOUND, "There is no such user.")
	ErrTooManyRequests  = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_REQUESTS, "Too many attempts. Please wait a moment and try again.")
	ErrLimitExceeded    = errs.New(errs.Exhausted, errorsv1.Reason_REASON_LIMIT_EXCEEDED, "Too many attempts. Please wait a few minutes and try again.")
	ErrNotConfirmed     = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_USER_NOT_CONFIRMED, "Please confirm your account first. We sent a code to your email.")
	ErrConsents         = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "We couldn’t read your choices. Please reload the page and try again.").On("answers")
	ErrConsentRequired  = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "Serein is for people aged 16 and over. To leave, please delete your account.").On("answers")
	ErrConsentsTooMany  = errs.New(errs.Exhausted, errorsv1.Reason_REASON_LIMIT_EXCEEDED, "You’ve changed your choices many times today. Please try again tomorrow.")
	// ErrWrongPassword is for who is signed in: it is no reason to take them for a visitor.
	ErrWrongPassword = errs.New(errs.Invalid, errorsv1.Reason_REASON_NOT_AUTHORIZED, "That isn’t your password. Please try again.").On("present_password")
	// ErrSecondStepMissing answers only callers who gave the right password.
	ErrSecondStepMissing = errs.New(errs.Invalid, errorsv1.Reason_REASON_NOT_AUTHORIZED,
		"To change this, please sign out and sign in again with a code from your authenticator app, or with a passkey.").On("present_password")
	ErrNoChange      = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_EXPIRED_CODE, "There’s no change of address waiting any more. Please start again.").On("new_code")
	ErrPasswordReset = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_PASSWORD_RESET_REQUIRED, "Please set a new password first.")
	ErrLeaving       = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_ACCOUNT_LEAVING, "This account will be deleted.")
)

// invalid is a fault of one field, in words for the person.
func invalid(field, public string) error {
	e := ErrInvalidParameter.On(field)
	e.Public = public
	return e
}

// weak is a password that cannot be used, in words for the person.
func weak(public string) error {
	e := ErrInvalidPassword.On("password")
	e.Public = public
	return e
}
