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

// resetCommand demands another password of a member: the present one is refused, and whatever came of it ends. It needs
// DATABASE_URL alone; the running service publishes its events.
func resetCommand() service.Command {
	return service.Command{
		Usage: "USERNAME", Arguments: 1,
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			username, said := f.Arg(0), " needs a new password now, and is signed out everywhere."
			err := operate(ctx, environ, "require-password-reset", func(ctx context.Context, store *postgres.Store) (uuid.UUID, error) {
				uid, changed, err := store.RequireReset(ctx, account.UsernameKey(username), time.Now().UTC().Truncate(time.Microsecond))
				if errors.Is(err, account.ErrUserNotFound) {
					return uuid.Nil, fmt.Errorf("there is no confirmed account %q", username)
				}
				if !changed {
					said = " needed a new password already; nothing changed."
					return uuid.Nil, err
				}
				return uid, err
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(out, username+said)
			return err
		},
	}
}
