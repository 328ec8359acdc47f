package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// RoleAdmin may look at every profile and use what is for admins. It is the only role, given and
// taken by operators alone.
const RoleAdmin = "admin"

// remarkMax bounds who did it and why, in characters.
const remarkMax = 200

// RoleChange is what an operator does.
type RoleChange struct {
	Granted bool
	// By is who does it, Note is why; Note may be empty.
	By, Note string
	At       time.Time
}

// RoleStore keeps roles.
type RoleStore interface {
	// SetAdmin grants or revokes RoleAdmin, records who did it and publishes it, in one transaction.
	// changed is false where it stood so already; nothing is recorded then. Errors: ErrUserNotFound,
	// also for an account that is not confirmed.
	SetAdmin(ctx context.Context, usernameKey string, c RoleChange) (changed bool, err error)
}

// SetAdmin grants or revokes RoleAdmin. Errors: a sentence for the operator.
func SetAdmin(ctx context.Context, store RoleStore, username string, c RoleChange) (changed bool, err error) {
	if c.By == "" {
		return false, errors.New("who does it is not known: name yourself")
	}
	for _, remark := range []string{c.By, c.Note} {
		if utf8.RuneCountInString(remark) > remarkMax || !utf8.ValidString(remark) || strings.ContainsFunc(remark, misleads) {
			return false, fmt.Errorf("a name and a note are text of at most %d characters in one line", remarkMax)
		}
	}
	c.At = c.At.UTC().Truncate(time.Microsecond)
	changed, err = store.SetAdmin(ctx, UsernameKey(username), c)
	if errors.Is(err, ErrUserNotFound) {
		return false, fmt.Errorf("there is no confirmed account %q", username)
	}
	return changed, err
}

// misleads finds what a record must not hold: what steers the text around it, as in names, and every
// other format character, which nobody sees.
func misleads(r rune) bool { return steersText(r) || unicode.Is(unicode.Cf, r) }
