package account

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// Viewer is who asks for a profile.
type Viewer struct {
	UID   string
	Admin bool
}

// Profile is a confirmed account with its consents.
type Profile struct {
	Account
	Consents []Consent
}

// Profile is the viewer's own where uid is empty, or, for an admin, anybody's. Everybody else's is
// refused before anything is looked up, so that it cannot be told from a uid that does not exist.
// Errors: ErrUserNotFound.
func (s *Service) Profile(ctx context.Context, viewer Viewer, uid string) (Profile, error) {
	if uid == "" {
		uid = viewer.UID
	}
	if !viewer.Admin && !sameUID(uid, viewer.UID) {
		return Profile{}, ErrUserNotFound.Because(errors.New("not the viewer's own"))
	}
	a, err := s.ByUID(ctx, uid)
	if err != nil {
		return Profile{}, err
	}
	consents, err := s.store.Consents(ctx, a.UID)
	return Profile{Account: a, Consents: consents}, err
}

func sameUID(a, b string) bool {
	x, errX := uuid.Parse(a)
	y, errY := uuid.Parse(b)
	return errX == nil && errY == nil && x == y
}

// ByUID finds a confirmed account. Errors: ErrUserNotFound.
func (s *Service) ByUID(ctx context.Context, uid string) (Account, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return Account{}, ErrUserNotFound.Because(err)
	}
	return s.store.ByUID(ctx, id)
}
