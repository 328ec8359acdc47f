// Package postgres keeps identity's accounts, codes, keys, sessions and grants. A state change
// and its event or job are one transaction. It holds no rule: rules are in the domain packages,
// which hand their decisions in as functions where they must be made under a lock.
package postgres

import (
	"context"
	"embed"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/passkey"
	"serein.app/services/identity/internal/postgres/sqlcgen"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql functions/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Outbox records domain events in the transaction of their change.
type Outbox interface {
	Add(ctx context.Context, tx pgx.Tx, e outbox.Event) error
}

// Jobs enqueues work in the transaction of its cause.
type Jobs interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// MailJob names the job that mails the code of that id.
type MailJob func(codeID uuid.UUID) river.JobArgs

// Store is ready for concurrent use.
type Store struct {
	db      *pgxpool.Pool
	queries *sqlcgen.Queries
	outbox  Outbox
	jobs    Jobs
	mail    MailJob
	leaving LeavingJob
	told    func() []string
}

// New is a Store on the pool of the service's own role.
func New(db *pgxpool.Pool, outbox Outbox, jobs Jobs, mail MailJob) *Store {
	return &Store{db: db, queries: sqlcgen.New(), outbox: outbox, jobs: jobs, mail: mail}
}

// TellClients sets the function that returns the ids of the clients that want a notice of each ended session. It is called before
// anything runs.
func (s *Store) TellClients(told func() []string) { s.told = told }

var constraints = map[string]*errs.Error{
	"accounts_username": account.ErrUsernameExists,
	// The same credential twice: a browser that was not asked to leave it out.
	"passkeys_credential": passkey.ErrRefused,
	// Reached only when two accounts of one address are confirmed at the same moment.
	"accounts_confirmed_email": account.ErrCodeMismatch,
}

func translate(err error) error { return postgres.Translate(err, constraints) }

// missing answers with the domain's own word for no rows.
func missing(err error, absent *errs.Error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return absent.Because(err)
	}
	return translate(err)
}

// again runs a statement that is a whole transaction, and runs it again where PostgreSQL asks for it.
func (s *Store) again(ctx context.Context, statement func(ctx context.Context) error) error {
	return translate(postgres.Repeat(ctx, statement))
}

func (s *Store) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return translate(postgres.InTx(ctx, s.db, fn))
}
