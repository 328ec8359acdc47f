package secondstep

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/seal"
	"serein.app/services/platform/seclog"
)

// Accounts prove members and count their tries.
type Accounts interface {
	// Reauthenticate proves the present password of a member who is signed in, and their second step where they have one. Errors:
	// account.ErrWrongPassword, account.ErrSecondStepMissing, account.ErrTooManyRequests.
	Reauthenticate(ctx context.Context, m account.Signed, password string) (account.Account, error)
	// ByUID finds a confirmed account. Errors: account.ErrUserNotFound.
	ByUID(ctx context.Context, uid string) (account.Account, error)
	// TryCode counts a try at a code, and takes it back where check gives no error. Errors: account.ErrTooManyRequests, and check's.
	TryCode(ctx context.Context, in account.CodeAttempt, check func(ctx context.Context) error) error
}

// Config is what a Service needs.
type Config struct {
	Store    Store
	Accounts Accounts
	// BrowserSecret seals what browsers carry between the two steps of setting up.
	BrowserSecret, BrowserSecretPrevious config.Secret
	// KeySecret seals the apps' secrets in the database.
	KeySecret, KeySecretPrevious config.Secret
	Now                          func() time.Time
	NewID                        func() uuid.UUID
	Log                          *slog.Logger
	// Security may be nil.
	Security *seclog.Log
}

// Service is ready for concurrent use.
type Service struct {
	cfg Config
	// ceremonies travel through browsers; kept opens what stands in the database, and present what the present secret alone has sealed.
	ceremonies, kept, present *seal.Sealer
}

// keptName keeps the seals of apps apart from all else that the secret seals.
const keptName = "identity authenticator"

// New is a Service.
func New(cfg Config) (*Service, error) {
	s := &Service{cfg: cfg}
	var err error
	if s.ceremonies, err = seal.New(cfg.BrowserSecret, cfg.BrowserSecretPrevious, "identity second step"); err != nil {
		return nil, err
	}
	if s.kept, err = seal.New(cfg.KeySecret, cfg.KeySecretPrevious, keptName); err != nil {
		return nil, err
	}
	s.present, err = seal.New(cfg.KeySecret, "", keptName)
	return s, err
}

// Asked says whether a member is asked for a code.
func (s *Service) Asked(ctx context.Context, uid uuid.UUID) (bool, error) {
	_, err := s.cfg.Store.Authenticator(ctx, uid)
	if errors.Is(err, ErrOff) {
		return false, nil
	}
	return err == nil, err
}

// State is how a member's second step stands. Errors: account.ErrUserNotFound.
func (s *Service) State(ctx context.Context, uid string) (State, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return State{}, account.ErrUserNotFound.Because(err)
	}
	a, err := s.cfg.Store.Authenticator(ctx, id)
	if errors.Is(err, ErrOff) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	left, err := s.cfg.Store.RecoveryCodesLeft(ctx, id)
	return State{OnSince: &a.AddedAt, CodesLeft: left}, err
}

// record writes down how something ended. A failure of ours is no event.
func (s *Service) record(ctx context.Context, uid uuid.UUID, address string, well seclog.Outcome, err error) {
	e := seclog.Event{Kind: seclog.SecondStep, Outcome: well, UID: uid.String(), Address: address}
	switch {
	case err == nil:
	case errors.Is(err, ErrUsed):
		e.Outcome = seclog.Reused
	case errors.Is(err, ErrCode), errors.Is(err, ErrRefused):
		e.Outcome = seclog.Failure
	case errs.KindOf(err) == errs.Exhausted:
		e.Outcome = seclog.Locked
	default:
		return
	}
	s.cfg.Security.Record(ctx, e)
}

// at is now, as the database keeps it.
func (s *Service) at() time.Time { return s.cfg.Now().UTC().Truncate(time.Microsecond) }
