// Package postgres keeps plans, balances, holds, the ledger and orders. The rules of credits are SQL
// functions (the files of functions/): one call is one transaction that changes the
// figures, writes the entries and queues the event.
//
// It refuses to write those tables in any other way; its database role cannot.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql functions/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Store is the billing database.
type Store struct {
	db        *pgxpool.Pool
	outbox    *outbox.Outbox
	queries   *sqlcgen.Queries
	calls     *pipeline
	holdCache *lru.Cache[uuid.UUID, credits.Hold]
	metrics   *metrics
	work      Work
	books     Books
	now       func() time.Time
	newID     func() (uuid.UUID, error)
}

// Work enqueues jobs in the transaction of the change that wants them.
type Work interface {
	ApplyEvent(ctx context.Context, tx pgx.Tx, id string) error
	ReturnPayment(ctx context.Context, tx pgx.Tx, order uuid.UUID) error
	EndAccount(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
	// EndMembership ends a membership at the provider that is over here.
	EndMembership(ctx context.Context, tx pgx.Tx, subscription string) error
	// StopRenewal cancels the membership of a member who leaves.
	StopRenewal(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
	// TakeBalance takes back what a change has credited of an order's money.
	TakeBalance(ctx context.Context, tx pgx.Tx, order uuid.UUID) error
}

// WorkBy says who enqueues. It is called before anything is sold.
func (s *Store) WorkBy(w Work) { s.work = w }

// Books are what stands on every order that an invoice makes.
type Books struct {
	VATPercent int32
	Live       bool
}

// KeepBooks says what they are. It is called before anything is sold.
func (s *Store) KeepBooks(b Books) { s.books = b }

// holdRecordsKept is how many hold records stay in memory, about 200 bytes each. Holds
// live for minutes, so this is some hundred a second.
const holdRecordsKept = 16384

// New makes the store. now gives the moment of every change; newID gives time-ordered ids.
func New(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time, newID func() (uuid.UUID, error)) (*Store, error) {
	records, err := lru.New[uuid.UUID, credits.Hold](holdRecordsKept)
	if err != nil {
		return nil, err
	}
	return &Store{
		db: db, outbox: out, queries: sqlcgen.New(), calls: newPipeline(db), holdCache: records, newID: newID,
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }, // what a timestamptz can hold
	}, nil
}

// due is what a SQL function answers, without a change, when something of the member's is due (an
// expiry, the end of a hold): that is settled first, then the function is called again.
const due = "due"

// settleTries bounds how often a change is repeated because something was due. One
// repeat is enough unless another caller's clock runs ahead.
const settleTries = 5

var errUnsettled = errors.New("the member's credits stay unsettled")

// settled runs a change, after settling the member's credits where the change asks for it.
func (s *Store) settled(
	ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, now time.Time, change func() (outcome string, err error),
) (string, error) {
	for range settleTries {
		outcome, err := change()
		if err != nil {
			return "", postgres.Translate(err, nil)
		}
		if outcome != due {
			return outcome, nil
		}
		if err := s.settle(ctx, db, uid, now); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("member %s: %w", uid, errUnsettled)
}
