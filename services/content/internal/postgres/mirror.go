package postgres

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
)

// Upstream is who mirrors another delivery API into the environment master.
var Upstream = entry.Actor{Name: "upstream"}

// MirrorState is how far the mirror of a source is.
type MirrorState struct {
	// Token continues the sync. It is empty when the sync restarts.
	Token string
	// Beginning: the first round of the sync is not complete.
	Beginning bool
	// Round counts the restarts of the sync.
	Round int
	// SyncedAt is when a round last ended; zero before the first.
	SyncedAt time.Time
}

// MirrorChange is what the upstream tells of one item.
type MirrorChange struct {
	// Item as readers of the upstream get it: its revision, fields, labels and times are the upstream's.
	Item entry.Item
	// Deleted: they get it no more.
	Deleted bool
}

// MirrorState reads the state of a source. A source that was never mirrored starts with the round of the source before it, if there
// was one. The first sync increments the round, so items of the earlier source do not count as items of this one.
func (s *Store) MirrorState(ctx context.Context, source string) (MirrorState, error) {
	row, err := s.queries.Upstream(ctx, s.db, source)
	if errors.Is(err, pgx.ErrNoRows) {
		last, err := s.queries.LastUpstreamRound(ctx, s.db)
		return MirrorState{Round: int(last)}, postgres.Translate(err, nil)
	}
	return MirrorState{Token: row.Token, Beginning: row.Beginning, Round: int(row.Round), SyncedAt: columns.Time(row.SyncedAt)}, postgres.Translate(err, nil)
}

// Mirror applies the changes of a sync and stores where the sync continues, in one transaction. It passes each item that the
// database can never store to refused; readers keep the item's earlier version. It returns errors of the database alone.
func (s *Store) Mirror(ctx context.Context, source string, to MirrorState, changes []MirrorChange, refused func(entry.Key, error)) error {
	type refusal struct {
		key entry.Key
		err error
	}
	var refusals []refusal
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		refusals = nil
		for _, c := range changes {
			if err := s.noteRound(ctx, tx, to.Round, c); err != nil {
				return err
			}
			// What is refused half way leaves nothing behind.
			err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return s.mirror(ctx, tx, c) })
			if isRefusal(err) {
				refusals = append(refusals, refusal{c.Item.Key, err})
			} else if err != nil {
				return err
			}
		}
		return s.setMirror(ctx, tx, source, to)
	})
	if err != nil {
		return err
	}
	for _, r := range refusals {
		refused(r.key, r.err)
	}
	return nil
}

// isRefusal says whether it is the item that cannot be, by a rule of ours or one of the database: a value that it cannot hold
// (SQLSTATE 22), a constraint (23), something too large (54). Conflicts are others' writes at the same moment, and pass.
func isRefusal(err error) bool {
	if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
		return len(pe.Code) == 5 && slices.Contains([]string{"22", "23", "54"}, pe.Code[:2])
	}
	kind := errs.KindOf(err)
	return kind == errs.Invalid || kind == errs.FailedPrecondition || kind == errs.NotFound
}

// noteRound stores the round in which the upstream sent an item. It also does so for a refused item, since the upstream has it.
func (s *Store) noteRound(ctx context.Context, tx pgx.Tx, round int, c MirrorChange) error {
	kind, id := string(c.Item.Kind), c.Item.ID
	if c.Deleted {
		return s.queries.DeleteUpstreamItem(ctx, tx, sqlcgen.DeleteUpstreamItemParams{Kind: kind, ID: id})
	}
	return s.queries.SetUpstreamItem(ctx, tx, sqlcgen.SetUpstreamItemParams{Kind: kind, ID: id, Round: int32(round)})
}

// EndMirrorRound stores where a round ended. After the first round of a sync it withdraws the items that the upstream did not send.
func (s *Store) EndMirrorRound(ctx context.Context, source string, to MirrorState, first bool) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if first {
			if err := s.withdrawOthers(ctx, tx, to.Round); err != nil {
				return err
			}
		}
		return s.setMirror(ctx, tx, source, to)
	})
}

func (s *Store) setMirror(ctx context.Context, tx pgx.Tx, source string, to MirrorState) error {
	if err := s.queries.DeleteOtherUpstreams(ctx, tx, source); err != nil {
		return err
	}
	return s.queries.SetUpstream(ctx, tx, sqlcgen.SetUpstreamParams{
		Source: source, Token: to.Token, Beginning: to.Beginning, Round: int32(to.Round), SyncedAt: columns.NullableTime(to.SyncedAt),
	})
}

func (s *Store) mirror(ctx context.Context, tx pgx.Tx, c MirrorChange) error {
	key := c.Item.Key
	row, err := s.queries.LockItem(ctx, tx, sqlcgen.LockItemParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
	before, err := found(row, err)
	known := !errors.Is(err, entry.ErrNotFound)
	if err != nil && known {
		return err
	}
	if c.Deleted && !known {
		return nil
	}
	if c.Deleted {
		return s.takeBack(ctx, tx, before)
	}
	return s.copy(ctx, tx, before, known, c.Item)
}

// copy gives readers what the upstream's have. Rules of content types that only bind who publishes bind the upstream's editors,
// not this copy: it must have the fields' types and no more.
func (s *Store) copy(ctx context.Context, tx pgx.Tx, before entry.Item, known bool, i entry.Item) error {
	t, locales, err := s.rules(ctx, tx, i)
	if err != nil {
		return err
	}
	if row, err := fromItem(i); err != nil || bytes.Contains(row.Fields, []byte(`\u0000`)) {
		return entry.ErrInvalid.Because(errors.Join(err, errors.New("it holds what no text can")))
	}
	if err := errors.Join(t.CheckDraft(i.Fields, locales), entry.CheckTerms(i.Tags, i.Concepts)); err != nil {
		return entry.ErrInvalid.Because(err)
	}
	i.Fields = withoutSound(t, i.Fields)
	if known && before.ContentType == i.ContentType {
		i.Fields = t.Keep(before.Fields, i.Fields)
	}
	if known && before.ContentType == i.ContentType && before.PublishedVersion != 0 && before.Revision == i.Revision && before.UpdatedAt.Equal(i.UpdatedAt) && reflect.DeepEqual(before.Fields, i.Fields) {
		return nil // a page that came twice
	}
	i.Version, i.FirstPublishedAt = before.Version+1, i.CreatedAt
	i.PublishedVersion, i.Title = i.Version, t.Title(i.Fields, locales.Default())
	if known && before.ContentType != i.ContentType {
		return entry.ErrInvalid.Because(errors.New("its content type is another than it was"))
	}
	if !known {
		if err := s.insert(ctx, tx, Upstream, i); err != nil {
			return err
		}
		return s.release(ctx, tx, i, t, locales)
	}
	return s.save(ctx, tx, Upstream, i, "publish", func(ctx context.Context, tx pgx.Tx, i entry.Item) error {
		return s.release(ctx, tx, i, t, locales)
	})
}

// withoutSound leaves out the narration: it is this service's own work, and one that the upstream has is a file in its own store alone.
func withoutSound(t entry.ContentType, fields entry.Fields) entry.Fields {
	own := maps.Clone(fields)
	for _, id := range []string{"audio", "duration", "narrationHash"} {
		if f, ok := t.Field(id); ok && f.Disabled {
			delete(own, id)
		}
	}
	return own
}

// takeBack takes from readers what they have of it.
func (s *Store) takeBack(ctx context.Context, tx pgx.Tx, i entry.Item) error {
	if i.PublishedVersion == 0 {
		return nil
	}
	i, err := i.Unpublish(s.now())
	if err != nil {
		return err
	}
	return s.save(ctx, tx, Upstream, i, "unpublish", s.withdraw)
}

// withdrawOthers withdraws the published items that the upstream did not send in this round.
func (s *Store) withdrawOthers(ctx context.Context, tx pgx.Tx, round int) error {
	const page = 1000
	after := sqlcgen.PublishedAfterParams{Environment: entry.Master, Most: page}
	for {
		rows, err := s.queries.PublishedAfter(ctx, tx, after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			after.Kind, after.After = row.Kind, row.ID
			if int(row.Round) == round {
				continue
			}
			item, err := found(s.queries.LockItem(ctx, tx, sqlcgen.LockItemParams{Environment: entry.Master, Kind: row.Kind, ID: row.ID}))
			if err != nil {
				return err
			}
			if err := s.takeBack(ctx, tx, item); err != nil {
				return err
			}
		}
		if len(rows) < page {
			return nil
		}
	}
}

// MirrorLocales makes master's locales those of the upstream; it changes nothing where they are.
func (s *Store) MirrorLocales(ctx context.Context, locales entry.Locales) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := s.locales(ctx, tx, entry.Master)
		if err != nil || sameLocales(before, locales) {
			return err
		}
		if err := s.queries.PlainLocales(ctx, tx, entry.Master); err != nil {
			return err
		}
		codes := make([]string, len(locales))
		for _, fallback := range []bool{false, true} { // what they fall back on must be there first
			for i, l := range locales {
				codes[i] = l.Code
				row := sqlcgen.SetLocaleParams{Environment: entry.Master, Code: l.Code, Name: l.Name, IsDefault: l.Default}
				if fallback {
					row.FallbackCode = columns.Nullable(l.Fallback)
				}
				if err := s.queries.SetLocale(ctx, tx, row); err != nil {
					return err
				}
			}
		}
		return s.queries.DeleteLocalesBut(ctx, tx, sqlcgen.DeleteLocalesButParams{Environment: entry.Master, Codes: codes})
	})
}

func sameLocales(a, b entry.Locales) bool {
	if len(a) != len(b) {
		return false
	}
	for _, l := range b {
		other, ok := a.Find(l.Code)
		other.Version = l.Version
		if !ok || other != l {
			return false
		}
	}
	return true
}

// MirrorContentType makes a content type what it is at the upstream; it changes nothing where it is.
func (s *Store) MirrorContentType(ctx context.Context, t entry.ContentType) error {
	before, err := s.ContentType(ctx, entry.Master, t.ID)
	if err != nil && !errors.Is(err, entry.ErrTypeNotFound) {
		return err
	}
	if err == nil {
		t.Environment, t.Version, t.CreatedAt, t.UpdatedAt = entry.Master, before.Version, before.CreatedAt, before.UpdatedAt
		if reflect.DeepEqual(before, t) {
			return nil
		}
	}
	t.Environment, t.Version = entry.Master, before.Version
	_, err = s.SetContentType(ctx, Upstream, t)
	return err
}

// LeadMirror does work while no other replica mirrors; it does nothing while another does. alive fails once this one leads no more.
func (s *Store) LeadMirror(ctx context.Context, work func(ctx context.Context, alive func(context.Context) error) error) error {
	_, err := postgres.Lead(ctx, s.db, "serein.content.upstream", func(ctx context.Context, conn *pgxpool.Conn) error { return work(ctx, conn.Ping) })
	return postgres.Translate(err, nil)
}
