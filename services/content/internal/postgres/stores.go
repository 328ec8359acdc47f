package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	assetstore "serein.app/services/content/internal/assets/postgres"
	coursestore "serein.app/services/content/internal/courses/postgres"
	diarystore "serein.app/services/content/internal/diary/postgres"
	"serein.app/services/content/internal/events"
	keepingstore "serein.app/services/content/internal/keeping/postgres"
	listeningstore "serein.app/services/content/internal/listening/postgres"
	narratestore "serein.app/services/content/internal/narrate/postgres"
	readingstore "serein.app/services/content/internal/reading/postgres"
	searchstore "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/outbox"
)

var _ events.Members = Stores{}

// Stores are the stores of all rooms on one database.
type Stores struct {
	Entries    *Store
	Pages      *readingstore.Store
	Kept       *keepingstore.Store
	Places     *listeningstore.Store
	Courses    *coursestore.Store
	Diary      *diarystore.Store
	Search     *searchstore.Store
	Narrations *narratestore.Store
	Assets     *assetstore.Store

	now func() time.Time
}

// Open makes the stores and gives each the parts of others that it asks. now gives the moment of every change.
func Open(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time) Stores {
	moment := func() time.Time { return now().UTC().Truncate(time.Microsecond) } // what a timestamptz can hold
	search := searchstore.New(db, NewReads(), moment)
	kept := keepingstore.New(db, out, search, moment)
	pages := readingstore.New(db, NewReads(), search, kept)
	diaries := diarystore.New(db, moment)
	entries := New(db, out, pages, search, moment)
	return Stores{
		Entries: entries, Pages: pages, Kept: kept, Places: listeningstore.New(db, diaries, moment), Courses: coursestore.New(db, NewReads()), Diary: diaries, Search: search,
		Narrations: narratestore.New(db, entries, moment), Assets: assetstore.New(db), now: moment,
	}
}

// ForgetMember removes what the rooms keep of a member whose account was deleted. What is still under way adds nothing afterwards.
func (s Stores) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.Kept.ForgetMember(ctx, tx, uid); err != nil {
		return err
	}
	if err := s.Places.ForgetMember(ctx, tx, uid); err != nil {
		return err
	}
	if err := s.Courses.ForgetMember(ctx, tx, uid); err != nil {
		return err
	}
	if err := s.Diary.ForgetMember(ctx, tx, uid); err != nil {
		return err
	}
	return erasure.Depart(ctx, tx, uid, s.now())
}

// ForgetBespoke removes what members did with a meditation of their own that is gone.
func (s Stores) ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if err := s.Kept.ForgetBespoke(ctx, tx, id); err != nil {
		return err
	}
	if err := s.Places.ForgetBespoke(ctx, tx, id); err != nil {
		return err
	}
	return s.Diary.ForgetBespoke(ctx, tx, id)
}
