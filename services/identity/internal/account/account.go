// Package account is what identity knows about a person: sign-up, confirmation by a mailed
// code, and proof of a password.
//
// It owns the rules of usernames, addresses, names, passwords and codes. It refuses to tell
// anybody whether an e-mail address has an account: every path that depends on it answers the
// same, after the same work. It holds no SQL, no RPC and no HTTP.
package account

import (
	"time"

	"github.com/google/uuid"
)

const (
	// CodeLife is how long a mailed code is good (ASVS 5.0, V6.5.5).
	CodeLife = 10 * time.Minute
	// CodeTries is how many wrong answers somebody may give to a code from one network address.
	CodeTries = 5
	// CodeTriesInAll is how many answers to codes of one mailbox count in the time of a limit, no matter who gives them: of a million codes,
	// 20 guesses find one in 50,000 times. Nobody's guesses end a code, which somebody else may hold.
	CodeTriesInAll = 4 * CodeTries
	// RepeatLife is how long a call that comes again is taken for the same one, whose answer was lost: longer than
	// programs try, and no longer than a person waits for a letter.
	RepeatLife = time.Minute
	// UnconfirmedLife is how long a sign-up may stay unconfirmed, however many codes it asks for.
	// Then its username and address are free again.
	UnconfirmedLife = 24 * time.Hour
)

// Account is one person's account.
type Account struct {
	UID        uuid.UUID
	Username   string
	Email      string
	GivenName  string
	FamilyName string
	Admin      bool
	// ReferralCode is what friends join with.
	ReferralCode string
	// PasswordHash is a PHC string; it stays in this service.
	PasswordHash string
	// PasswordChanges is how often the password was replaced, or another was demanded.
	PasswordChanges int64
	Confirmed       bool
	// ResetRequired: an operator demands another password, and the present one lets nobody in.
	ResetRequired bool
	// InvitedBy is the member whose invitation an unconfirmed account came by; nil for nobody's.
	InvitedBy *uuid.UUID
	// DeletesAt is when the account of a member who has asked for that is deleted; nil for one that stays.
	DeletesAt *time.Time
}

// Registration is a sign-up whose fields have passed every rule.
type Registration struct {
	Account
	UsernameKey string
	EmailKey    string
	Consents    []ConsentAnswer
	// Code that is mailed; nil where the mailbox has had its letters for now.
	Code     *Code
	At       time.Time
	LapsesAt time.Time
	// Replaces is the unconfirmed sign-up that this one stands in for; nil for none.
	Replaces *uuid.UUID
}
