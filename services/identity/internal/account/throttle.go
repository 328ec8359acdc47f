package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

// Limit bounds how often something may be tried with one key: Free tries in a Window, then a
// pause that begins with Delay and doubles up to MaxDelay.
type Limit struct {
	Name     string
	Free     int
	Window   time.Duration
	Delay    time.Duration
	MaxDelay time.Duration
}

// The limits. A person who mistypes stays under them; a program does not.
var (
	// By username and network address.
	limitConfirm      = Limit{Name: "confirm", Free: CodeTries, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}
	limitResendMinute = Limit{Name: "resend-minute", Free: 1, Window: time.Minute, Delay: time.Minute, MaxDelay: time.Minute}
	limitResendHour   = Limit{Name: "resend-hour", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	// By mailbox and the network address that signs up: a person who signs up with one mailbox again and again is refused, and its owner,
	// elsewhere, is not.
	limitSignUpEmail = Limit{Name: "sign-up-email", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	// By mailbox alone, no matter who asks. At those of letters nothing is refused and nothing sent, which a sign-up's answer says; at
	// that of guesses a code's first try still counts, and no other. Sign-ups and resends are counted apart,
	// so that somebody else's resends do not use up the letter of the owner's own sign-up.
	limitMailSignUp    = Limit{Name: "mail-sign-up", Free: 10, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitMailSignUpDay = Limit{Name: "mail-sign-up-day", Free: 20, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	limitMailResend    = Limit{Name: "mail-resend", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitMailResendDay = Limit{Name: "mail-resend-day", Free: 10, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	// Of somebody who gave the password, strangers who signed up with this mailbox included: by mailbox and network address, so that they
	// use up none but their own, and by mailbox alone. There one letter goes out every ten minutes once thirty have, 30 and 24*6 a day at
	// most, and nobody waits for the next day. Of an account its own five an hour count (limitResendHour).
	limitMailProved      = Limit{Name: "mail-proved", Free: 5, Window: 24 * time.Hour, Delay: time.Hour, MaxDelay: 8 * time.Hour}
	limitMailProvedInAll = Limit{Name: "mail-proved-in-all", Free: 30, Window: 24 * time.Hour, Delay: 10 * time.Minute, MaxDelay: 10 * time.Minute}
	// By account, for callers who gave its password: strangers' tries are counted apart.
	limitConfirmProved = Limit{Name: "confirm-proved", Free: CodeTries, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}
	limitConfirmFirst  = Limit{Name: "confirm-first", Free: 1, Window: CodeLife, Delay: CodeLife, MaxDelay: CodeLife}
	limitConfirmEmail  = Limit{Name: "confirm-email", Free: CodeTriesInAll, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	// By network address, on the hosted confirm step; the gateway counts its own callers.
	limitConfirmAddress = Limit{Name: "confirm-address", Free: 2 * crowd.Size, Window: time.Hour, Delay: time.Minute, MaxDelay: 15 * time.Minute}
	// Forms with a username that waits for its code, each of which asks for its password: by username and network address, so that a
	// stranger elsewhere uses up none of the owner's; and by username alone, as many as guess no password within the day that it waits.
	limitSignUpAgain      = Limit{Name: "sign-up-again", Free: 5, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitSignUpAgainInAll = Limit{Name: "sign-up-again-in-all", Free: 100, Window: time.Hour, Delay: time.Hour, MaxDelay: time.Hour}
	limitAPIAddress       = Limit{Name: "sign-up-api-address", Free: 4 * crowd.Size, Window: time.Hour, Delay: time.Minute, MaxDelay: 15 * time.Minute}
)

// Throttle counts attempts where every replica sees them.
type Throttle interface {
	// Spend counts an attempt; false: the key must wait.
	Spend(ctx context.Context, key []byte, limit Limit, now time.Time) (bool, error)
	// SpendAll counts an attempt at each key, in their order, up to the first that must wait: its index (-1: none must) and for how long. The
	// attempt is not counted at that key and those after it.
	SpendAll(ctx context.Context, all []Spending, now time.Time) (blocked int, wait time.Duration, err error)
	// Wait is how long the key must wait from now on; 0: not at all.
	Wait(ctx context.Context, key []byte, now time.Time) (time.Duration, error)
	// RefundAttempt takes a counted attempt back.
	RefundAttempt(ctx context.Context, key []byte, limit Limit) error
	// ResetAttempts forgets the key.
	ResetAttempts(ctx context.Context, key []byte) error
	// ForgiveAttempts does either for several keys at once.
	ForgiveAttempts(ctx context.Context, forgiven []Forgiven) error
}

// Spending is an attempt at one key.
type Spending struct {
	Key   []byte
	Limit Limit
}

// Forgiven is a key whose counted attempt succeeded.
type Forgiven struct {
	Key []byte
	// Free tries of its limit, where one attempt alone is taken back; 0: the key is forgotten.
	Free int
}

// key hides whom a counter is about.
func (s *Service) key(l Limit, whom string) []byte {
	m := hmac.New(sha256.New, s.codes.secret)
	m.Write([]byte("throttle\x00" + l.Name + "\x00" + whom))
	return m.Sum(nil)
}

// spend counts an attempt. Where it may not be made the error is refused, with the time to wait in numbers and words.
func (s *Service) spend(ctx context.Context, l Limit, whom string, refused *errs.Error) error {
	blocked, wait, err := s.throttle.SpendAll(ctx, []Spending{{s.key(l, whom), l}}, s.now())
	if err != nil || blocked < 0 {
		return err
	}
	return tooSoon(refused, wait)
}

// tooSoon is a refusal with the time to wait in numbers and words.
func tooSoon(refused *errs.Error, wait time.Duration) error {
	wait = max(wait, time.Second)
	e := refused.After(wait)
	e.Public = "Too many attempts. Please try again in " + errs.About(wait) + "."
	return e
}

// within counts an event at those limits, the shorter first; false: one of them is used up, and those after it count nothing.
func (s *Service) within(ctx context.Context, whom string, limits ...Limit) (bool, error) {
	for _, l := range limits {
		if ok, err := s.throttle.Spend(ctx, s.key(l, whom), l, s.now()); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func (s *Service) refund(ctx context.Context, l Limit, whom string) error {
	return s.throttle.RefundAttempt(ctx, s.key(l, whom), l)
}
