package account

import (
	"context"
	"errors"
	"regexp"

	"github.com/google/uuid"

	"serein.app/services/platform/typed"
)

// codeShape is what referralCode makes: nothing else is looked for.
var codeShape = regexp.MustCompile(`^[A-Z2-7]{10}$`)

// Inviter is the member whose referral code it is: uuid.Nil where it is nobody's. Case, spaces and signs do not count, since
// codes are read out and pasted.
func (s *Service) Inviter(ctx context.Context, code string) (uuid.UUID, error) {
	code = typed.LettersAndDigits(code)
	if !codeShape.MatchString(code) {
		return uuid.Nil, nil
	}
	uid, err := s.store.ByReferralCode(ctx, code)
	if errors.Is(err, ErrUserNotFound) {
		return uuid.Nil, nil
	}
	return uid, err
}

// invite notes who invited the person; an unknown code changes nothing.
func (s *Service) invite(ctx context.Context, r *Registration, code string) error {
	inviter, err := s.Inviter(ctx, code)
	if err == nil && inviter != uuid.Nil {
		r.InvitedBy = &inviter
	}
	return err
}
