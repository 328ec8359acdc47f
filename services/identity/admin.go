package identity

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/user"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/config"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	platformpostgres "serein.app/services/platform/postgres"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/service"
	"serein.app/services/platform/telemetry"
)

// adminCommand gives or takes the admin role. It needs DATABASE_URL alone; the running service
// publishes its event.
func adminCommand(granted bool) service.Command {
	return service.Command{
		Usage: "[--by NAME] [--note TEXT] USERNAME", Arguments: 1,
		Flags: func(f *flag.FlagSet) {
			f.String("by", operator(), "who does it")
			f.String("note", "", "why")
		},
		Run: func(ctx context.Context, environ map[string]string, f *flag.FlagSet, out io.Writer) error {
			change := account.RoleChange{Granted: granted, By: f.Lookup("by").Value.String(), Note: f.Lookup("note").Value.String(), At: time.Now()}
			changed, err := setAdmin(ctx, environ, f.Arg(0), change)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(out, outcome(f.Arg(0), granted, changed))
			return err
		},
	}
}

// operator is who runs the command, as the system knows them: "amara@host".
func operator() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if u, err := user.Current(); err == nil {
		return u.Username + "@" + host
	}
	return fmt.Sprintf("uid %d@%s", os.Getuid(), host)
}

func setAdmin(ctx context.Context, environ map[string]string, username string, c account.RoleChange) (changed bool, err error) {
	command := "revoke-admin"
	if c.Granted {
		command = "grant-admin"
	}
	err = operate(ctx, environ, command, func(ctx context.Context, store *postgres.Store) (uid uuid.UUID, err error) {
		if changed, err = account.SetAdmin(ctx, store, username, c); err != nil || !changed {
			return uuid.Nil, err
		}
		a, err := store.ByUsername(ctx, account.UsernameKey(username), c.At)
		if err != nil {
			return uuid.Nil, fmt.Errorf("it is done, and could not be told: %w", err)
		}
		return a.UID, nil
	})
	return changed, err
}

// operate does what an operator's command does on the database of DATABASE_URL, and writes it into the security log where it changed
// something for somebody.
func operate(ctx context.Context, environ map[string]string, command string, do func(context.Context, *postgres.Store) (uuid.UUID, error)) error {
	cfg, err := config.Load[platformpostgres.Config](environ)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	db, err := platformpostgres.Open(ctx, cfg, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	tel, err := telemetry.Setup(ctx, Name)
	if err != nil {
		return err
	}
	defer func() { _ = tel.Shutdown(context.WithoutCancel(ctx)) }() // the line is written by then
	security, err := seclog.New(tel, "", time.Now)                  // its event names nobody by hash
	if err != nil {
		return err
	}
	letters, err := lettersOf(db, tel)
	if err != nil {
		return err
	}
	uid, err := do(ctx, postgres.New(db, outbox.New(db, nil, Name, tel.Log, time.Now), letters, nil))
	if err != nil || uid == uuid.Nil {
		return err
	}
	security.Record(ctx, seclog.Event{Kind: seclog.Admin, Outcome: seclog.Success, UID: uid.String(), Procedure: command, Caller: "operator"})
	return nil
}

// lettersOf enqueues the letters of what a command does; it works none.
func lettersOf(db *pgxpool.Pool, tel *telemetry.Telemetry) (*platformjobs.Client, error) {
	known := river.NewWorkers()
	river.AddWorker(known, &jobs.AccountMailWorker{})
	return platformjobs.New(db, known, nil, nil, tel.Log, tel.Metrics)
}

func outcome(username string, granted, changed bool) string {
	switch {
	case granted && changed:
		return username + " is an admin now."
	case granted:
		return username + " was an admin already; nothing changed."
	case changed:
		return username + " is no admin any more."
	}
	return username + " was no admin; nothing changed."
}
