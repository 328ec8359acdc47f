package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	assetstore "serein.app/services/content/internal/assets/postgres"
	"serein.app/services/content/internal/events"
	narratestore "serein.app/services/content/internal/narrate/postgres"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/outbox"
)

var _ events.Members = Stores{}

// Stores are the stores of all rooms on one database.
type Stores struct {
	Entries    *Store
	Search     *searchstore.Store
	Narrations *narratestore.Store
	Assets     *assetstore.Store
}

// Open makes the stores and gives each the parts of others that it asks. now gives the moment of every change.
func Open(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time) Stores {
	moment := func() time.Time { return now().UTC().Truncate(time.Microsecond) } // what a timestamptz can hold
	search := searchstore.New(db, NewReads(), moment)
	entries := New(db, out, search, moment)
	return Stores{Entries: entries, Search: search, Narrations: narratestore.New(db, entries, moment), Assets: assetstore.New(db)}
}

// ForgetMember removes what the rooms keep of a member whose account was deleted.
func (s Stores) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	return s.Entries.ForgetMember(ctx, tx, uid)
}

// ForgetBespoke removes what members did with a meditation of their own that is gone.
func (s Stores) ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return s.Entries.ForgetBespoke(ctx, tx, id)
}
