package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"serein.app/services/platform/renewal"
)

// The times of renewal are the specification's: it begins 60 s before the end and gives up
// after renewal.Wait. After a provider that did not answer comes renewal.Rest, for all replicas together.
const (
	renewBefore = 60 * time.Second
	// lookAgain is how often a waiting replica looks whether another has finished.
	lookAgain = 50 * time.Millisecond
)

// lockLife outlasts a renewal, so that only a replica that died loses its lock. A try by another replica, which then has the lock,
// comes within the provider's grace.
var lockLife = renewal.Wait + 5*time.Second

// renew renews a session once, however many calls, tabs and replicas ask. While the provider's
// last answer is still valid no call waits for it; afterwards all calls wait for the one renewal.
// A refused refresh token ends the session. A provider that is away ends nothing: the session
// is only uncertain (503, not 401) once the last answer has expired, and goes on when it is back.
func (s *Sessions) renew(ctx context.Context, hash string) <-chan singleflight.Result {
	ctx = context.WithoutCancel(ctx)
	return s.renewals.DoChan(hash, func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, lockLife)
		defer cancel()
		renewed, err := s.renewOnce(ctx, hash)
		if err != nil && !errors.Is(err, ErrNone) {
			s.log.WarnContext(ctx, "session not renewed", "error", err)
		}
		return renewed, err
	})
}

func (s *Sessions) renewOnce(ctx context.Context, hash string) (*Session, error) {
	for {
		token := NewID()
		mine, err := s.store.lock(ctx, hash, token, lockLife)
		if err != nil {
			return nil, ErrUnsure.Because(fmt.Errorf("renewal lock: %w", err))
		}
		if mine {
			return s.renewLocked(ctx, hash, token, false)
		}
		renewed, err := s.waitForOther(ctx, hash)
		if renewed != nil || err != nil {
			return renewed, err
		}
	}
}

// waitForOther waits for the replica that holds the lock. Nothing and no error: the lock is
// free and there is still something to do.
func (s *Sessions) waitForOther(ctx context.Context, hash string) (*Session, error) {
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	for {
		r, _, err := s.store.read(ctx, hash)
		if err != nil {
			return nil, err
		}
		if s.now().Before(r.AccessEnds.Add(-renewBefore)) {
			return s.remember(hash, r), nil
		}
		holder, err := s.store.lockHolder(ctx, hash)
		switch {
		case err != nil:
			return nil, ErrUnsure.Because(err)
		case holder == away:
			return nil, ErrUnsure.Because(errors.New("the provider is away"))
		case holder == "":
			return nil, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ErrUnsure.Because(ctx.Err())
		}
	}
}

// Renew asks the provider what it says of the member now: something was changed there. Where a renewal is on its way already, or the
// provider is away, the session goes on as it is and follows with its next renewal. Errors: ErrNone, ErrUnsure.
func (s *Sessions) Renew(ctx context.Context, id string) error {
	if !WellFormed(id) {
		return ErrNone
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockLife)
	defer cancel()
	hash, token := Hash(id), NewID()
	mine, err := s.store.lock(ctx, hash, token, lockLife)
	if err != nil {
		return ErrUnsure.Because(fmt.Errorf("renewal lock: %w", err))
	}
	if mine {
		_, err = s.renewLocked(ctx, hash, token, true)
	}
	return err
}

// renewLocked asks the provider, where it is time to or the answer is needed now. It reads the record again, since the one before the lock may
// be another replica's past.
func (s *Sessions) renewLocked(ctx context.Context, hash, token string, now bool) (*Session, error) {
	r, sealed, err := s.store.read(ctx, hash)
	if err != nil {
		return nil, errors.Join(err, s.store.unlock(ctx, hash, token))
	}
	if !now && s.now().Before(r.AccessEnds.Add(-renewBefore)) {
		_ = s.store.unlock(ctx, hash, token) // else it ends with lockLife
		return s.remember(hash, r), nil
	}
	asked, cancel := context.WithTimeout(ctx, renewal.Wait)
	grant, err := s.ask(asked, r)
	cancel()
	if err != nil && !errors.Is(err, ErrRefused) {
		return nil, ErrUnsure.Because(errors.Join(err, s.store.markAway(ctx, hash, renewal.Rest)))
	}
	defer func() { _ = s.store.unlock(ctx, hash, token) }() // else it ends with lockLife
	if err != nil {
		s.cache.end(hash)
		return nil, ErrNone.Because(errors.Join(err, s.store.drop(ctx, hash, sealed)))
	}
	return s.save(ctx, hash, sealed, r, grant)
}

func (s *Sessions) ask(ctx context.Context, r record) (Grant, error) {
	if r.RefreshToken == "" {
		if s.now().Before(r.AccessEnds) {
			return Grant{}, errors.New("the provider gave no refresh token")
		}
		return Grant{}, ErrRefused
	}
	grant, err := s.provider.Renew(ctx, r.RefreshToken)
	if err != nil {
		return Grant{}, err
	}
	if grant.Member.UID != "" && grant.Member.UID != r.Member.UID {
		return Grant{}, fmt.Errorf("%w: it now names another member", ErrRefused)
	}
	return grant, nil
}

func (s *Sessions) save(ctx context.Context, hash string, old []byte, r record, g Grant) (*Session, error) {
	if g.Member.UID != "" {
		r.Member = g.Member
	}
	if g.RefreshToken != "" {
		r.RefreshToken = g.RefreshToken
	}
	r.AccessEnds = g.AccessEnds
	saved, err := s.store.replace(ctx, hash, old, r)
	if err != nil {
		return nil, ErrUnsure.Because(fmt.Errorf("save renewed session: %w", err))
	}
	if !saved { // signed out while the provider answered
		s.revoke(ctx, g.RefreshToken)
		return nil, ErrNone
	}
	return s.remember(hash, r), nil
}
