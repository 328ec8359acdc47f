package account

import (
	"context"
	"time"

	"serein.app/services/platform/crowd"
)

// The limits of sign-ins. Nobody can use up what somebody else's right password needs:
//
//   - A browser that the account has signed in with before has its own count, which no stranger reaches.
//   - From elsewhere guesses are counted by name and network address, so that a stranger shuts their own
//     address out and no other.
//   - All guesses at one account from anywhere, under all its names, make it wary after the hundredth of a
//     day: until the next day every network address then has one try at once and the next after a quarter of
//     an hour, which doubles up to six hours. So a fresh address gets in with the right password at once,
//     however many guess, and all that strangers have in a day is 100 guesses and 9 more for each address.
var (
	limitSignInDevice  = Limit{Name: "sign-in-device", Free: 10, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitSignIn        = Limit{Name: "sign-in", Free: 10, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitSignInAddress = Limit{Name: "sign-in-address", Free: 2 * crowd.Size, Window: time.Hour, Delay: 30 * time.Second, MaxDelay: 15 * time.Minute}
	limitSignInAccount = Limit{Name: "sign-in-account", Free: 100, Window: 24 * time.Hour, Delay: 24 * time.Hour, MaxDelay: 24 * time.Hour}
	limitSignInWary    = Limit{Name: "sign-in-wary", Free: 1, Window: 24 * time.Hour, Delay: 15 * time.Minute, MaxDelay: 6 * time.Hour}
)

// counted is one attempt at one limit. Success takes it back: alone where the key is shared with
// strangers, or with all before it.
type counted struct {
	limit  Limit
	whom   string
	shared bool
}

// admitAttempt counts an attempt at every limit that it falls under. Errors: ErrTooManyRequests.
func (s *Service) admitAttempt(ctx context.Context, in Attempt, a Account, found bool) ([]counted, error) {
	if found && in.Device.ID != "" && in.Device.UID == a.UID {
		own := []counted{{limitSignInDevice, a.UID.String() + "\x00" + in.Device.ID, false}}
		return own, s.spendAll(ctx, own)
	}
	whom := loginKey(in.Login)
	all := []counted{
		{limitSignInAddress, in.Address, true},
		{limitSignIn, whom + "\x00" + in.Address, false},
	}
	if found {
		whom = a.UID.String()
	}
	all = append(all, counted{limitSignInAccount, whom, true})
	blocked, wait, err := s.throttle.SpendAll(ctx, s.spendings(all), s.now())
	switch {
	case err != nil || blocked < 0:
		return all, err
	case all[blocked].limit != limitSignInAccount:
		return nil, tooSoon(ErrTooManyRequests, wait)
	}
	wary := counted{limitSignInWary, whom + "\x00" + in.Address, false}
	return append(all[:blocked], wary), s.spendAll(ctx, []counted{wary})
}

// spendAll counts an attempt at all limits, up to the first that refuses it.
func (s *Service) spendAll(ctx context.Context, all []counted) error {
	blocked, wait, err := s.throttle.SpendAll(ctx, s.spendings(all), s.now())
	if err != nil || blocked < 0 {
		return err
	}
	return tooSoon(ErrTooManyRequests, wait)
}

func (s *Service) spendings(all []counted) []Spending {
	spendings := make([]Spending, len(all))
	for i, c := range all {
		spendings[i] = Spending{s.key(c.limit, c.whom), c.limit}
	}
	return spendings
}

// forgive takes a successful attempt back. What others guessed at a shared key stays counted.
func (s *Service) forgive(ctx context.Context, all []counted) error {
	forgiven := make([]Forgiven, len(all))
	for i, c := range all {
		forgiven[i].Key = s.key(c.limit, c.whom)
		if c.shared {
			forgiven[i].Free = c.limit.Free
		}
	}
	return s.throttle.ForgiveAttempts(ctx, forgiven)
}
