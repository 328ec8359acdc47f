package secondstep

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// resealPage is how many apps are looked at at once.
const resealPage = 500

// Reseal gives every app that the secret before has sealed the seal of the present one, so that the old secret can go. Replicas may do so
// at once. One that neither secret opens stays as it is: its member has their recovery codes.
func (s *Service) Reseal(ctx context.Context) error {
	if s.cfg.KeySecretPrevious == "" {
		return nil
	}
	after := uuid.Nil
	for {
		apps, err := s.cfg.Store.AuthenticatorsAfter(ctx, after, resealPage)
		if err != nil || len(apps) == 0 {
			return err
		}
		for _, app := range apps {
			if err := s.reseal(ctx, app); err != nil {
				return err
			}
		}
		after = apps[len(apps)-1].UID
	}
}

func (s *Service) reseal(ctx context.Context, app Authenticator) error {
	var secret string
	name := app.UID.String()
	if s.present.Open(name, app.Sealed, &secret) == nil || s.kept.Open(name, app.Sealed, &secret) != nil {
		return nil //nolint:nilerr // no seal of the secret before: there is nothing to do
	}
	fresh, err := s.present.Seal(name, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.Reseal(ctx, app, fresh)
}

// KeepSealed is Reseal until it is done, however long the database takes to come.
func (s *Service) KeepSealed(ctx context.Context) error {
	for {
		err := s.Reseal(ctx)
		if err == nil {
			return nil
		}
		s.cfg.Log.WarnContext(ctx, "authenticator secrets not resealed", "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}
