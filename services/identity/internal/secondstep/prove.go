package secondstep

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/seclog"
)

// Attempt is one try of who has proved a password.
type Attempt struct {
	UID uuid.UUID
	// Code is what was typed: one of the app, or a recovery code.
	Code string
	// Address is the caller's network address.
	Address string
	// Device is what the browser proves to be; the zero value for one that is not known.
	Device account.Device
}

// codeMax bounds what is looked at, in bytes.
const codeMax = 64

// Prove proves a member by a code of their app, or by a recovery code, each once. Errors: ErrCode, ErrUsed, ErrOff,
// account.ErrTooManyRequests.
func (s *Service) Prove(ctx context.Context, in Attempt) (err error) {
	well := seclog.Success
	defer func() { s.record(ctx, in.UID, in.Address, well, err) }()
	app, err := s.cfg.Store.Authenticator(ctx, in.UID)
	if err != nil {
		return err
	}
	code := ""
	if len(in.Code) <= codeMax {
		code = plain(in.Code)
	}
	recovery := len(code) == recoveryChars
	if recovery {
		well = seclog.Recovered
	}
	try := account.CodeAttempt{UID: in.UID, Address: in.Address, Device: in.Device, Unguessable: recovery}
	return s.cfg.Accounts.TryCode(ctx, try, func(ctx context.Context) error {
		if recovery {
			return s.cfg.Store.UseRecoveryCode(ctx, in.UID, recoveryHash(in.UID, code), s.cfg.NewID())
		}
		return s.proveByApp(ctx, app, code)
	})
}

// proveByApp uses a code of the app up. Errors: ErrCode, ErrUsed.
func (s *Service) proveByApp(ctx context.Context, app Authenticator, code string) error {
	var secret string
	if err := s.kept.Open(app.UID.String(), app.Sealed, &secret); err != nil {
		return fmt.Errorf("the secret of an authenticator: %w", err)
	}
	if strings.Trim(code, "0123456789") != "" {
		return ErrCode
	}
	at, ok, err := matching(secret, code, s.at())
	if err != nil {
		return err
	}
	if !ok {
		return ErrCode
	}
	return s.cfg.Store.UseStep(ctx, app, at)
}
