package postgres

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/events"
	"serein.app/services/content/internal/search"
	"serein.app/services/content/internal/search/postgres/sqlcgen"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// States of a member's own meditation. One that is gone never comes back.
const (
	bespokeReady   = "ready"
	bespokeDeleted = "deleted"
	bespokeGone    = "gone"
)

// Bespoke is a member's own meditation as generation tells of it.
type Bespoke struct {
	ID, UID   uuid.UUID
	Title     string
	Seconds   int
	Immersive bool
	// Text is its script; empty where it is not known yet.
	Text string
	// Attempts to fetch the script that have failed.
	Attempts int
}

// Filer files a text under categories: the ids, the best first, and how sure it is of that one, in per cent.
type Filer func(title, text string) (ids []string, confidence int)

var _ events.Bespoke = (*BespokeStore)(nil)

// BespokeStore keeps what members find of their own. Each call tells it of one thing that generation did at a time; they may
// come in any order.
type BespokeStore struct {
	store *Store
	file  Filer
}

// Bespoke gives it.
func (s *Store) Bespoke(file Filer) *BespokeStore { return &BespokeStore{s, file} }

// IsOf says whether a member has one of that id, as far as generation has told.
func (b *BespokeStore) IsOf(ctx context.Context, id, uid uuid.UUID) (bool, error) {
	theirs, err := b.store.queries.IsBespokeOf(ctx, b.store.db, sqlcgen.IsBespokeOfParams{ID: id, Uid: uid})
	return theirs, postgres.Translate(err, nil)
}

// BespokeCategories are what those of the ids are filed under that are the member's and are found: ids of categories, the best first.
func (s *Store) BespokeCategories(ctx context.Context, uid uuid.UUID, ids []string) (map[string][]string, error) {
	rows, err := s.queries.BespokeCategories(ctx, s.db, sqlcgen.BespokeCategoriesParams{Ids: ids, Uid: &uid})
	filed := make(map[string][]string, len(rows))
	for _, row := range rows {
		filed[row.ID] = row.Categories
	}
	return filed, postgres.Translate(err, nil)
}

// Completed tells of a new one. Its title is found at once, its script when it has been fetched.
func (b *BespokeStore) Completed(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, title string, seconds int, at time.Time) error {
	return b.change(ctx, tx, id, uid, func(row *sqlcgen.SearchBespoke) {
		if row.Title != "" {
			return // it is known already
		}
		row.Title, row.Seconds = title, int32(seconds)
		if row.State == "" {
			row.State, row.ChangedAt = bespokeReady, at
		}
		row.DueAt = new(b.store.now())
	})
}

// Deleted tells that the member has marked it deleted: from then on it is found among those alone.
func (b *BespokeStore) Deleted(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error {
	return b.change(ctx, tx, id, uid, func(row *sqlcgen.SearchBespoke) {
		if at.After(row.ChangedAt) {
			row.State, row.ChangedAt = bespokeDeleted, at
		}
	})
}

// Recovered tells that the member took the deletion back.
func (b *BespokeStore) Recovered(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error {
	return b.change(ctx, tx, id, uid, func(row *sqlcgen.SearchBespoke) {
		if at.After(row.ChangedAt) {
			row.State, row.ChangedAt, row.DueAt, row.Attempts = bespokeReady, at, new(b.store.now()), 0
		}
	})
}

// Renamed marks the meditation's title for a fetch. The title comes from generation and not from the event, so that the older of two
// such events cannot win.
func (b *BespokeStore) Renamed(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error {
	return b.change(ctx, tx, id, uid, func(row *sqlcgen.SearchBespoke) {
		if row.State == "" {
			row.State, row.ChangedAt = bespokeReady, at
		}
		row.DueAt, row.Attempts = new(b.store.now()), 0
	})
}

// Gone marks the meditation as purged for ever.
func (b *BespokeStore) Gone(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error {
	return b.change(ctx, tx, id, uid, func(row *sqlcgen.SearchBespoke) {
		row.State, row.ChangedAt, row.Title = bespokeGone, at, ""
	})
}

// change applies an event of generation to one meditation, unless the meditation is gone, and updates the index. The index lock
// serialises two events about the same meditation.
func (b *BespokeStore) change(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, do func(row *sqlcgen.SearchBespoke)) error {
	row, err := b.lock(ctx, tx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		row, err = b.newRow(ctx, tx, id, uid)
	}
	if err != nil || row.State == bespokeGone || row.Uid != uid {
		return err
	}
	do(&row)
	if row.State == bespokeGone {
		row.DueAt = nil
	}
	if err := b.store.queries.SetBespoke(ctx, tx, sqlcgen.SetBespokeParams(row)); err != nil {
		return err
	}
	if row.State == bespokeGone {
		return b.store.drop(ctx, tx, search.Bespoke, id.String())
	}
	if row.Title == "" {
		return nil // content has not indexed it yet
	}
	return b.put(ctx, tx, row, "")
}

func (b *BespokeStore) lock(ctx context.Context, tx pgx.Tx, id uuid.UUID) (sqlcgen.SearchBespoke, error) {
	if err := b.store.queries.LockSearch(ctx, tx); err != nil {
		return sqlcgen.SearchBespoke{}, err
	}
	return b.store.queries.LockBespoke(ctx, tx, id)
}

// newRow is the row of a meditation that content does not know yet. It is gone if the member's account is deleted, whichever
// events come later.
func (b *BespokeStore) newRow(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID) (row sqlcgen.SearchBespoke, err error) {
	row = sqlcgen.SearchBespoke{ID: id, Uid: uid}
	departed, err := erasure.HasDeparted(ctx, tx, uid)
	if departed {
		row.State = bespokeGone
	}
	return row, err
}

// put indexes the meditation. With an empty text it keeps the script that the index already has.
func (b *BespokeStore) put(ctx context.Context, tx pgx.Tx, row sqlcgen.SearchBespoke, text string) error {
	if text == "" {
		before, err := b.store.queries.SearchItem(ctx, tx, sqlcgen.SearchItemParams{Kind: string(search.Bespoke), ID: row.ID.String()})
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		text = before.Body
	}
	categories, confidence := b.file(row.Title, text)
	return b.store.put(ctx, tx, search.Item{
		Kind: search.Bespoke, ID: row.ID.String(), UID: row.Uid.String(), Title: search.Spoken(row.Title), Text: text,
		Categories: categories, Confidence: confidence, Immersive: row.Immersive, Seconds: int(row.Seconds), Marked: row.State == bespokeDeleted,
	})
}

// claimed is how long a caller of Claim has to fetch a script before another caller may claim it.
const claimed = time.Minute

// Claim returns meditations whose scripts are due, reserved for this caller for a minute.
func (b *BespokeStore) Claim(ctx context.Context, most int) ([]Bespoke, error) {
	now := b.store.now()
	rows, err := b.store.queries.ClaimBespoke(ctx, b.store.db, sqlcgen.ClaimBespokeParams{Now: &now, Until: new(now.Add(claimed)), Most: int32(most)})
	due := make([]Bespoke, len(rows))
	for i, row := range rows {
		due[i] = Bespoke{ID: row.ID, UID: row.Uid, Title: row.Title, Seconds: int(row.Seconds), Immersive: row.Immersive, Attempts: int(row.Attempts)}
	}
	return due, postgres.Translate(err, nil)
}

// Fetched stores the title and script that generation sent, unless the meditation is gone by now, or is marked deleted and its script
// was not due. A meditation from before content's subscription, which no event announced, is new.
func (b *BespokeStore) Fetched(ctx context.Context, m Bespoke) error {
	return b.store.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		row, err := b.lock(ctx, tx, m.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			row, err = b.newRow(ctx, tx, m.ID, m.UID)
			row.State = cmp.Or(row.State, bespokeReady)
		}
		unwanted := row.State == bespokeGone || row.State == bespokeDeleted && row.DueAt == nil
		if err != nil || unwanted || row.Uid != m.UID {
			return err
		}
		row.Title, row.Seconds, row.Immersive, row.DueAt, row.Attempts = m.Title, int32(m.Seconds), m.Immersive, nil, 0
		if err := b.store.queries.SetBespoke(ctx, tx, sqlcgen.SetBespokeParams(row)); err != nil {
			return err
		}
		return b.put(ctx, tx, row, search.Spoken(m.Text))
	})
}

// Missed stores that a fetch of the script failed. The next fetch is due at again. A zero again means that generation has no
// meditation of that id: then content does not retry, removes the meditation from the index and forgets its title, until an event
// says that it was recovered.
func (b *BespokeStore) Missed(ctx context.Context, id uuid.UUID, again time.Time) error {
	return b.store.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		row, err := b.lock(ctx, tx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil || row.State == bespokeGone {
			return err
		}
		row.DueAt, row.Attempts = columns.NullableTime(again), row.Attempts+1
		if again.IsZero() {
			row.State, row.Title = bespokeDeleted, ""
			if err := b.store.drop(ctx, tx, search.Bespoke, id.String()); err != nil {
				return err
			}
		}
		return b.store.queries.SetBespoke(ctx, tx, sqlcgen.SetBespokeParams(row))
	})
}

// Filled says whether content has fetched the member's meditations from before its subscription. If not, next is generation's token
// of the next page, empty for the first page.
func (b *BespokeStore) Filled(ctx context.Context, uid uuid.UUID) (filled bool, next string, err error) {
	row, err := b.store.queries.SearchMember(ctx, b.store.db, uid)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, "", nil
	}
	return row.FilledAt != nil, row.NextPage, postgres.Translate(err, nil)
}

// Fill stores that content has fetched the member's meditations up to the page next, or all of them if next is empty.
func (b *BespokeStore) Fill(ctx context.Context, uid uuid.UUID, next string) error {
	return b.store.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := b.store.queries.LockSearch(ctx, tx); err != nil {
			return err
		}
		departed, err := erasure.HasDeparted(ctx, tx, uid)
		if err != nil || departed {
			return err
		}
		member := sqlcgen.SetSearchMemberParams{Uid: uid, NextPage: next}
		if next == "" {
			member.FilledAt = new(b.store.now())
		}
		return b.store.queries.SetSearchMember(ctx, tx, member)
	})
}

// Forget removes all that is kept of a member, and has later events about their meditations keep nothing.
func (b *BespokeStore) Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := b.store.queries.LockSearch(ctx, tx); err != nil {
		return err
	}
	if err := erasure.Depart(ctx, tx, uid, b.store.now()); err != nil {
		return err
	}
	for {
		ids, err := b.store.queries.SearchItemsOfMember(ctx, tx, &uid)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := b.store.drop(ctx, tx, search.Bespoke, id); err != nil {
				return err
			}
		}
		if len(ids) == 0 {
			break
		}
	}
	if err := b.store.queries.DeleteBespokeOfMember(ctx, tx, uid); err != nil {
		return err
	}
	return b.store.queries.DeleteSearchMember(ctx, tx, uid)
}
