package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/diary"
	store "serein.app/services/content/internal/diary/postgres"
	"serein.app/services/content/internal/listening"
	placestore "serein.app/services/content/internal/listening/postgres"
	stores "serein.app/services/content/internal/postgres"
	"serein.app/services/content/internal/reading"
	"serein.app/services/testkit"
)

var (
	kettle = reading.Item{Kind: reading.Article, ID: "kettle"}
	today  = time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
)

// harness is one test's database, diaries and places.
type harness struct {
	*contenttest.Harness
	*store.Store

	places *placestore.Store
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := contenttest.Open(tb)
	return &harness{h, h.Stores.Diary, h.Stores.Places}
}

// keeper is a member who keeps a diary.
func (h *harness) keeper(tb testing.TB) uuid.UUID {
	tb.Helper()
	uid := uuid.New()
	require.NoError(tb, h.SetKeeping(tb.Context(), uid, true))
	return uid
}

// player is a device that plays one item.
type player struct {
	*harness

	uid          uuid.UUID
	item         reading.Item
	turn, step   int64
	at, duration time.Duration
	utcOffset    time.Duration
	withoutLine  uuid.UUID
}

// play begins an item of ten minutes at its place.
func (h *harness) play(tb testing.TB, uid uuid.UUID, item reading.Item) *player {
	tb.Helper()
	begun, err := h.places.StartListening(tb.Context(), uid, listening.Start{Item: item, Device: uuid.New(), TakeOver: true})
	require.NoError(tb, err)
	return &player{harness: h, uid: uid, item: item, turn: begun.Turn, at: begun.Last.Position, duration: 10 * time.Minute}
}

// write says where the player is.
func (p *player) write(tb testing.TB, playing bool) {
	tb.Helper()
	p.step++
	saved, err := p.places.SavePlace(tb.Context(), p.uid, listening.Write{
		Item: p.item, Turn: p.turn, Step: p.step, Position: p.at, Duration: p.duration, Playing: playing, UTCOffset: p.utcOffset,
	})
	require.NoError(tb, err)
	p.withoutLine = saved.WithoutLine
}

// hear plays for that long, with a write every ten seconds, and pauses.
func (p *player) hear(tb testing.TB, d time.Duration) *player {
	tb.Helper()
	for heard := time.Duration(0); heard < d; heard += 10 * time.Second {
		passed := min(10*time.Second, d-heard)
		p.Now, p.at = p.Now.Add(passed), p.at+passed
		p.write(tb, heard+passed < d)
	}
	return p
}

// page says what a diary shows, from the top.
func (h *harness) page(tb testing.TB, uid uuid.UUID) (said []string) {
	tb.Helper()
	entries, err := h.Page(tb.Context(), uid, diary.Top, 100)
	require.NoError(tb, err)
	for _, e := range entries {
		said = append(said, fmt.Sprintf("%s %s %v %v %s", e.Day.Format(time.DateOnly), e.Title, e.Heard, e.Finished, e.Line))
	}
	return said
}

func TestASittingIsOneEntryHoweverOftenItIsPausedAndNobodyElseHasOne(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "kettle", "The Kettle", "", "2026-02-01")
	uid, other := h.keeper(t), uuid.New()
	h.play(t, uid, kettle).hear(t, 50*time.Second)
	require.Empty(t, h.page(t, uid), "less than a minute")
	h.Now = h.Now.Add(29 * time.Minute)
	p := h.play(t, uid, kettle).hear(t, 45*time.Second)
	require.Equal(t, []string{"2027-03-01 The Kettle 1m35s false "}, h.page(t, uid))
	require.Equal(t, uuid.Nil, p.withoutLine, "it was not heard to its end")
	h.Now = h.Now.Add(31 * time.Minute)
	h.play(t, uid, kettle).hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01 The Kettle 1m0s false ", "2027-03-01 The Kettle 1m35s false "}, h.page(t, uid))

	h.play(t, other, kettle).hear(t, 5*time.Minute)
	require.Zero(t, h.Count(t, "SELECT count(*) FROM diary_entries WHERE uid = $1", other), "who keeps no diary")
}

func TestARecordingHeardToItsEndIsOfferedALine(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.keeper(t)
	p := h.play(t, uid, kettle).hear(t, 10*time.Minute)
	require.NotEqual(t, uuid.Nil, p.withoutLine)
	changed, err := h.ChangeLine(t.Context(), uid, p.withoutLine, "Quieter now.")
	require.NoError(t, err)
	require.Equal(t, "Quieter now.", changed.Line)
	require.Equal(t, []string{"2027-03-01  10m0s true Quieter now."}, h.page(t, uid))
	again := h.play(t, uid, kettle).hear(t, 10*time.Minute)
	require.Equal(t, uuid.Nil, again.withoutLine, "it has one")
	require.Len(t, h.page(t, uid), 1)
}

func TestWritesThatComeAgainOrLateAreHeardOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.keeper(t)
	p := h.play(t, uid, kettle).hear(t, 2*time.Minute)
	p.step--
	h.Now = h.Now.Add(10 * time.Second)
	p.write(t, true)
	require.Equal(t, []string{"2027-03-01  2m0s false "}, h.page(t, uid))
	p.at += 3 * time.Minute // a skip, while it is paused
	p.write(t, false)
	require.Equal(t, []string{"2027-03-01  2m0s false "}, h.page(t, uid))
}

func TestAnEntryHasTheMembersOwnDay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.keeper(t)
	h.Now = time.Date(2027, 3, 1, 23, 30, 0, 0, time.UTC)
	p := h.play(t, uid, kettle)
	p.utcOffset = 13 * time.Hour
	p.hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-02  1m0s false "}, h.page(t, uid))
}

func TestAMeditationsTitleStaysWhenTheMeditationIsGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, own := h.keeper(t), uuid.New()
	item := reading.Item{Kind: reading.Bespoke, ID: own.String()}
	p := h.play(t, uid, item).hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01  1m0s false "}, h.page(t, uid), "content does not know it yet")
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO search_bespoke (id, uid, title, seconds, immersive, state, changed_at) VALUES ($1, $2, 'After the long meeting', 600, false, 'ready', now())`, own, uid)
	require.NoError(t, err)
	h.play(t, uid, item).hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01 After the long meeting 2m0s false "}, h.page(t, uid))
	of := func() diary.Entry {
		entries, err := h.Page(t.Context(), uid, diary.Top, 1)
		require.NoError(t, err)
		return entries[0]
	}
	require.True(t, of().Available)
	require.Equal(t, item, of().Item)
	h.Tx(t, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetBespoke(ctx, tx, own) })
	require.False(t, of().Available)
	require.Equal(t, reading.Item{Kind: reading.Bespoke}, of().Item)
	require.False(t, of().ByHand())
	p.hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01 After the long meeting 2m0s false "}, h.page(t, uid), "its place is gone, and what is under way comes too late")
}

func TestSwitchedOffNothingIsAddedAndWhatIsThereStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.keeper(t)
	require.NoError(t, h.SetKeeping(t.Context(), uid, true), "again")
	h.play(t, uid, kettle).hear(t, time.Minute)
	lake := reading.Item{Kind: reading.Meditation, ID: "lake"}
	p := h.play(t, uid, lake).hear(t, 50*time.Second)
	require.NoError(t, h.SetKeeping(t.Context(), uid, false))
	require.NoError(t, h.SetKeeping(t.Context(), uid, false), "again")
	p.hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01  1m0s false "}, h.page(t, uid))
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM diary_entries"), "what was too short goes with the switch")
	keeps, err := h.Keeps(t.Context(), uid)
	require.NoError(t, err)
	require.False(t, keeps)
	_, err = h.Add(t.Context(), uid, uuid.New(), today, "Sat by myself.")
	require.NoError(t, err, "by hand")
}

func TestAnEntryByHandIsAddedOnceAndHasALine(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, id := uuid.New(), uuid.New()
	added, err := h.Add(t.Context(), uid, id, today, "Sat by myself for ten minutes.")
	require.NoError(t, err)
	again, err := h.Add(t.Context(), uid, id, today, "Something else.")
	require.NoError(t, err)
	require.Equal(t, added, again)
	require.True(t, added.ByHand())
	_, err = h.ChangeLine(t.Context(), uid, id, "")
	require.ErrorIs(t, err, diary.ErrLine)
	_, err = h.ChangeLine(t.Context(), uuid.New(), id, "Mine")
	require.ErrorIs(t, err, diary.ErrNotFound, "another member's")
}

func TestTheEntryThatWasRemovedLastComesBackForADay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, first, second := uuid.New(), uuid.New(), uuid.New()
	for _, id := range []uuid.UUID{first, second} {
		_, err := h.Add(t.Context(), uid, id, today, "A line.")
		require.NoError(t, err)
	}
	stranger := uuid.New()
	require.NoError(t, h.Remove(t.Context(), stranger, first), "another member's")
	require.Len(t, h.page(t, uid), 2)
	require.NoError(t, h.Remove(t.Context(), uid, first))
	_, err := h.ChangeLine(t.Context(), uid, first, "It is removed.")
	require.ErrorIs(t, err, diary.ErrNotFound)
	_, err = h.Restore(t.Context(), stranger, first)
	require.ErrorIs(t, err, diary.ErrNotFound)
	for range 2 {
		restored, err := h.Restore(t.Context(), uid, first)
		require.NoError(t, err)
		require.Equal(t, first, restored.ID)
	}
	require.Len(t, h.page(t, uid), 2)
	require.NoError(t, h.Remove(t.Context(), uid, first))
	require.NoError(t, h.Remove(t.Context(), uid, second))
	require.NoError(t, h.Remove(t.Context(), uid, first), "again")
	_, err = h.Restore(t.Context(), uid, first)
	require.ErrorIs(t, err, diary.ErrNotFound, "another one was removed since")
	require.Zero(t, testkit.Retain(t, h.Pool, stores.Retention(), h.Now.Add(diary.RestoredFor-time.Microsecond)))
	require.Equal(t, 1, testkit.Retain(t, h.Pool, stores.Retention(), h.Now.Add(diary.RestoredFor)))
	_, err = h.Restore(t.Context(), uid, second)
	require.ErrorIs(t, err, diary.ErrNotFound)
}

func TestASittingWhoseEntryWasRemovedBringsItNotBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.keeper(t)
	p := h.play(t, uid, kettle).hear(t, time.Minute)
	entries, err := h.Page(t.Context(), uid, diary.Top, 1)
	require.NoError(t, err)
	require.NoError(t, h.Remove(t.Context(), uid, entries[0].ID))
	h.play(t, uid, kettle).hear(t, 9*time.Minute)
	require.Equal(t, uuid.Nil, p.withoutLine)
	require.Empty(t, h.page(t, uid))
}

// full fills a diary up to its bound, but for so many.
func (h *harness) full(t *testing.T, uid uuid.UUID, but int) {
	t.Helper()
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO diary_entries SELECT $1, md5('e' || n)::uuid, '', '', '', '2027-01-01', now(), now(), 0, false, true, 'A line', NULL FROM generate_series(1, $2::int) n`,
		uid, diary.MaxEntries-but)
	require.NoError(t, err)
}

func TestAFullDiaryTakesNothingAndDropsNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, id := h.keeper(t), uuid.New()
	h.full(t, uid, 1)
	_, err := h.Add(t.Context(), uid, id, today, "The last one.")
	require.NoError(t, err)
	full, err := h.IsFull(t.Context(), uid)
	require.NoError(t, err)
	require.True(t, full)
	_, err = h.Add(t.Context(), uid, id, today, "The last one.")
	require.NoError(t, err, "again")
	_, err = h.Add(t.Context(), uid, uuid.New(), today, "One more.")
	require.ErrorIs(t, err, diary.ErrFull)
	h.play(t, uid, kettle).hear(t, 2*time.Minute)
	require.Equal(t, diary.MaxEntries, h.Count(t, "SELECT count(*) FROM diary_entries"))
	require.NoError(t, h.Remove(t.Context(), uid, id))
	_, err = h.Add(t.Context(), uid, uuid.New(), today, "In its place.")
	require.NoError(t, err)
	_, err = h.Restore(t.Context(), uid, id)
	require.ErrorIs(t, err, diary.ErrFull)
	require.Equal(t, diary.MaxEntries, h.Count(t, "SELECT count(*) FROM diary_entries WHERE removed_at IS NULL"))
}

func TestTheBoundHoldsForEntriesThatComeAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	h.full(t, uid, 1)
	ctx := context.WithoutCancel(t.Context())
	failed := make([]error, 8)
	var wait sync.WaitGroup
	for i := range failed {
		wait.Go(func() { _, failed[i] = h.Add(ctx, uid, uuid.New(), today, "A line.") })
	}
	wait.Wait()
	added := 0
	for _, err := range failed {
		if err == nil {
			added++
		} else {
			require.ErrorIs(t, err, diary.ErrFull)
		}
	}
	require.Equal(t, 1, added)
}

func TestPagesFollowEachOtherTheLastDayFirst(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	for n, day := range []string{"2027-02-27", "2027-03-01", "2027-02-28", "2027-02-28", "2026-12-24"} {
		h.Now = h.Now.Add(time.Minute)
		parsed, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		_, err = h.Add(t.Context(), uid, uuid.New(), parsed, fmt.Sprint(n))
		require.NoError(t, err)
	}
	below, lines := diary.Top, ""
	for {
		entries, err := h.Page(t.Context(), uid, below, 2)
		require.NoError(t, err)
		if len(entries) == 0 {
			break
		}
		for _, e := range entries {
			lines += e.Line
		}
		below = entries[len(entries)-1].Place()
	}
	require.Equal(t, "13204", lines)
}

func TestAnEmptiedDiaryKeepsNothingAndGoesOn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, other := h.keeper(t), h.keeper(t)
	p := h.play(t, uid, kettle).hear(t, 2*time.Minute)
	h.play(t, other, kettle).hear(t, 2*time.Minute)
	for range 2 {
		require.NoError(t, h.Empty(t.Context(), uid))
	}
	require.Zero(t, h.Count(t, "SELECT count(*) FROM diary_entries WHERE uid = $1", uid))
	require.Len(t, h.page(t, other), 1)
	h.play(t, uid, p.item).hear(t, time.Minute)
	require.Equal(t, []string{"2027-03-01  1m0s false "}, h.page(t, uid))
}

func TestTheDiaryGoesWithTheAccountAndNothingComesAfterwards(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, other := h.keeper(t), h.keeper(t)
	for _, who := range []uuid.UUID{uid, other} {
		h.play(t, who, kettle).hear(t, time.Minute)
	}
	h.Tx(t, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetMember(ctx, tx, uid) })
	require.NoError(t, h.SetKeeping(t.Context(), uid, true))
	_, err := h.Add(t.Context(), uid, uuid.New(), today, "Too late.")
	require.ErrorIs(t, err, diary.ErrNotFound)
	require.Zero(t, h.Count(t, "SELECT (SELECT count(*) FROM diary_entries WHERE uid = $1) + (SELECT count(*) FROM diary_keepers WHERE uid = $1)", uid))
	require.Len(t, h.page(t, other), 1)
	require.Empty(t, h.Told(t), "no event tells of a diary")
}
