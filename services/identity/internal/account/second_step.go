package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/crowd"
)

// The limits of codes beside a password. Only a person who gave the right password can try a code, so no stranger uses up these limits.
// They are tighter than a password's, since a code is one of a million and three codes are valid at once.
//
//   - A browser in which the account has signed in before has a separate count.
//   - Tries from other browsers are counted by account and network address, and by network address.
//   - After fifty wrong codes of an account in a day from unknown browsers, no unknown browser can sign in with a code until the next
//     day. The member still signs in with a known browser, with a passkey, or with a recovery code, which nobody can guess and which is
//     counted by network address alone.
var (
	limitCodeDevice  = Limit{Name: "code-device", Free: 10, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitCode        = Limit{Name: "code", Free: 10, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitCodeAddress = Limit{Name: "code-address", Free: 2 * crowd.Size, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitCodeAccount = Limit{Name: "code-account", Free: 50, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
)

// CodeAttempt is one try at a code that is asked for beside the password.
type CodeAttempt struct {
	UID uuid.UUID
	// Address is the caller's network address.
	Address string
	// Device is what the browser proves to be; the zero value for one that is not known.
	Device Device
	// Unguessable: it is too long for guessing.
	Unguessable bool
}

// TryCode counts a try, and takes it back where check gives no error. Errors: ErrTooManyRequests, and check's.
func (s *Service) TryCode(ctx context.Context, in CodeAttempt, check func(ctx context.Context) error) error {
	counted := in.counted()
	if err := s.spendAll(ctx, counted); err != nil {
		return err
	}
	if err := check(ctx); err != nil {
		return err
	}
	return s.forgive(ctx, counted)
}

// counted are the limits that a try falls under.
func (in CodeAttempt) counted() []counted {
	whom := in.UID.String()
	switch {
	case in.Unguessable:
		return []counted{{limitCodeAddress, in.Address, true}}
	case in.Device.ID != "" && in.Device.UID == in.UID:
		return []counted{{limitCodeDevice, whom + "\x00" + in.Device.ID, false}}
	}
	return []counted{{limitCodeAddress, in.Address, true}, {limitCode, whom + "\x00" + in.Address, false}, {limitCodeAccount, whom, true}}
}
