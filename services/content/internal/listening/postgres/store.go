// Package postgres keeps where members stopped listening.
package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/diary"
	"serein.app/services/content/internal/listening"
	"serein.app/services/content/internal/listening/postgres/sqlcgen"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// Diary is what members keep of their listening for themselves.
type Diary interface {
	// Keeps says whether the member keeps one.
	Keeps(ctx context.Context, uid uuid.UUID) (bool, error)
	// Note writes what was heard, and gives its entry if that has no line yet, else uuid.Nil.
	Note(ctx context.Context, tx pgx.Tx, uid uuid.UUID, l diary.Listened) (withoutLine uuid.UUID, err error)
}

// Store is the places.
type Store struct {
	db      *pgxpool.Pool
	diary   Diary
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, diary Diary, now func() time.Time) *Store {
	return &Store{db: db, diary: diary, queries: sqlcgen.New(), now: now}
}

// StartListening begins a turn, unless another device of the member plays. Members whose accounts are deleted begin nothing.
func (s *Store) StartListening(ctx context.Context, uid uuid.UUID, start listening.Start) (begun listening.Begun, err error) {
	err = postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		newest, err := s.newestPlace(ctx, tx, uid)
		if err != nil {
			return err
		}
		now := s.now()
		if newest.HoldsBack(start, now) {
			begun = listening.Begun{Elsewhere: true, Title: newest.Title}
			return nil
		}
		last, err := s.lastPlace(ctx, tx, uid, start.Item)
		if err != nil {
			return err
		}
		n, err := s.queries.BeginTurn(ctx, tx, sqlcgen.BeginTurnParams{
			Uid: uid, Kind: string(start.Item.Kind), Item: start.Item.ID, Turn: newest.Turn + 1, Device: start.Device, Now: now, Member: erasure.Fingerprint(uid),
		})
		if err != nil || n == 0 {
			return err
		}
		begun = listening.Begun{Turn: newest.Turn + 1, Last: last}
		return s.queries.TrimPlaces(ctx, tx, sqlcgen.TrimPlacesParams{Uid: uid, Kept: listening.Limit})
	}), nil)
	return begun, err
}

// newestPlace is what the member began last; nothing for who has begun nothing.
func (s *Store) newestPlace(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (listening.Newest, error) {
	row, err := s.queries.NewestPlace(ctx, tx, uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return listening.Newest{}, nil
	}
	return listening.Newest{Turn: row.Turn, Device: row.Device, Playing: row.Playing, At: row.WrittenAt, Title: row.Title}, err
}

// SavePlace writes where a member is. What is stale or comes again changes nothing. What was heard goes into the diary of who keeps one.
func (s *Store) SavePlace(ctx context.Context, uid uuid.UUID, w listening.Write) (saved listening.Saved, err error) {
	keeps, err := s.diary.Keeps(ctx, uid)
	if err != nil {
		return saved, err
	}
	if !keeps {
		saved.Moved, err = s.write(ctx, s.db, uid, w)
		return saved, postgres.Translate(err, nil)
	}
	err = postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) (err error) {
		if saved.WithoutLine, err = s.note(ctx, tx, uid, w); err != nil {
			return err
		}
		saved.Moved, err = s.write(ctx, tx, uid, w)
		return err
	}), nil)
	return saved, err
}

// write says whether listening goes on elsewhere.
func (s *Store) write(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, w listening.Write) (moved bool, err error) {
	turns, err := s.queries.WritePlace(ctx, db, sqlcgen.WritePlaceParams{
		Uid: uid, Kind: string(w.Item.Kind), Item: w.Item.ID, Turn: w.Turn, Step: w.Step, Playing: w.Playing,
		PositionMs: w.Kept().Milliseconds(), DurationMs: w.Duration.Milliseconds(), Finished: w.Finished(), Now: s.now(),
	})
	return w.Moved(turns.OfItem, turns.Newest), err
}

// note writes what was heard since the place before into the diary. It gives the entry that a line is to be offered for, else uuid.Nil.
func (s *Store) note(ctx context.Context, tx pgx.Tx, uid uuid.UUID, w listening.Write) (uuid.UUID, error) {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return uuid.Nil, err
	}
	row, err := s.queries.PlaceBefore(ctx, tx, sqlcgen.PlaceBeforeParams{Uid: uid, Kind: string(w.Item.Kind), Item: w.Item.ID, Turn: w.Turn, Step: w.Step})
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	before := listening.Before{Position: milliseconds(row.PositionMs), Playing: row.Playing, At: row.WrittenAt}
	heard := w.Heard(before, s.now())
	if err != nil || heard == 0 {
		return uuid.Nil, err
	}
	withoutLine, err := s.diary.Note(ctx, tx, uid, diary.Listened{
		Item: w.Item, Began: before.At, Heard: heard, Duration: w.Duration, Finished: w.Finished(), UTCOffset: w.UTCOffset,
	})
	if w.Playing || !w.Finished() {
		return uuid.Nil, err
	}
	return withoutLine, err
}

// LastPlace is where the member stopped in an item; nothing for what they have not begun.
func (s *Store) LastPlace(ctx context.Context, uid uuid.UUID, item reading.Item) (listening.Last, error) {
	last, err := s.lastPlace(ctx, s.db, uid, item)
	return last, postgres.Translate(err, nil)
}

func (s *Store) lastPlace(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID, item reading.Item) (listening.Last, error) {
	row, err := s.queries.LastPlace(ctx, db, sqlcgen.LastPlaceParams{Uid: uid, Kind: string(item.Kind), Item: item.ID})
	if errors.Is(err, pgx.ErrNoRows) {
		return listening.Last{}, nil
	}
	return listening.Last{Turn: row.Turn, Position: milliseconds(row.PositionMs)}, err
}

// Places are what the member has begun, the last first, with the cards of what is published.
func (s *Store) Places(ctx context.Context, uid uuid.UUID, most int) ([]listening.Place, error) {
	rows, err := s.queries.ListPlaces(ctx, s.db, sqlcgen.ListPlacesParams{Uid: uid, Most: int32(most)})
	places := make([]listening.Place, len(rows))
	for i, row := range rows {
		item := reading.Item{Kind: reading.Kind(row.Kind), ID: row.Item}
		card, err := reading.ParseCard(item.Kind, item.ID, row.Slug, row.Card)
		if err != nil {
			return nil, err
		}
		places[i] = listening.Place{
			Item: item, Position: milliseconds(row.PositionMs), Duration: milliseconds(row.DurationMs), At: row.WrittenAt.UTC(), Title: card.Title, Card: card,
		}
	}
	return places, postgres.Translate(err, nil)
}

// AllPlaces are all that is kept of a member's listening, the last first. all names unverified meditations too.
func (s *Store) AllPlaces(ctx context.Context, uid uuid.UUID, all bool) ([]listening.Place, error) {
	rows, err := s.queries.ExportPlaces(ctx, s.db, sqlcgen.ExportPlacesParams{Uid: uid, AllCards: all})
	places := make([]listening.Place, len(rows))
	for i, row := range rows {
		places[i] = listening.Place{
			Item: reading.Item{Kind: reading.Kind(row.Kind), ID: row.Item}, Position: milliseconds(row.PositionMs), Duration: milliseconds(row.DurationMs),
			Finished: row.Finished, At: row.WrittenAt.UTC(), Title: row.Title,
		}
	}
	return places, postgres.Translate(err, nil)
}

// ForgetMember removes the places of a member whose account was deleted, and waits for what is under way.
func (s *Store) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	return s.queries.DeletePlaces(ctx, tx, uid)
}

// ForgetBespoke removes the places in a meditation of a member's own that is gone.
func (s *Store) ForgetBespoke(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return s.queries.DeleteBespokePlaces(ctx, tx, id.String())
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
