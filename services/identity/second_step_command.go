package identity

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/service"
)

// secondStepCommand turns the second step of a member off who has lost their app and their recovery codes: their password alone lets in
// again. It needs DATABASE_URL alone; the running service sends the letter that tells the member.
func secondStepCommand() service.Command {
	return service.Command{
		Usage: "USERNAME", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			username, said := f.Arg(0), " now signs in with the password alone. A letter tells them."
			err := operate(ctx, environ, "turn-off-second-step", func(ctx context.Context, store *postgres.Store) (uuid.UUID, error) {
				a, err := store.ByUsername(ctx, account.UsernameKey(username), time.Now())
				if errors.Is(err, account.ErrUserNotFound) || err == nil && !a.Confirmed {
					return uuid.Nil, fmt.Errorf("there is no confirmed account %q", username)
				}
				if err != nil {
					return uuid.Nil, err
				}
				was, err := store.TurnOff(ctx, a.UID, newID())
				if !was {
					said = " has no second step; nothing changed."
					return uuid.Nil, err
				}
				return a.UID, err
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(out, username+said)
			return err
		},
	}
}
