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
	"pgregory.net/rapid"

	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/listening"
	store "serein.app/services/content/internal/listening/postgres"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/postgres"
)

const hour = time.Hour

var item = reading.Item{Kind: reading.Article, ID: "a"}

// harness is one test's database and places.
type harness struct {
	*contenttest.Harness
	*store.Store
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := contenttest.Open(tb)
	return &harness{h, h.Stores.Places}
}

func (h *harness) begin(tb testing.TB, uid uuid.UUID, item reading.Item, device uuid.UUID) int64 {
	tb.Helper()
	begun, err := h.StartListening(tb.Context(), uid, listening.Start{Item: item, Device: device, TakeOver: true})
	require.NoError(tb, err)
	return begun.Turn
}

func (h *harness) write(tb testing.TB, uid uuid.UUID, w listening.Write) (moved bool) {
	tb.Helper()
	saved, err := h.SavePlace(tb.Context(), uid, w)
	require.NoError(tb, err)
	return saved.Moved
}

func (h *harness) at(tb rapid.TB, uid uuid.UUID, item reading.Item) time.Duration {
	tb.Helper()
	last, err := h.LastPlace(context.Background(), uid, item)
	require.NoError(tb, err)
	return last.Position
}

func TestASecondDeviceAsksTakesOverAndTheFirstLearnsOfIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	h.Article(t, "a", "The Kettle", "", "2026-02-01")
	uid, phone, desk := uuid.New(), uuid.New(), uuid.New()
	lake := reading.Item{Kind: reading.Meditation, ID: "lake"}
	first := h.begin(t, uid, item, phone)
	require.False(t, h.write(t, uid, listening.Write{Item: item, Turn: first, Step: 1, Position: 40 * time.Second, Duration: hour, Playing: true}))

	for _, wanted := range []reading.Item{item, lake} {
		begun, err := h.StartListening(t.Context(), uid, listening.Start{Item: wanted, Device: desk})
		require.NoError(t, err)
		require.Equal(t, listening.Begun{Elsewhere: true, Title: "The Kettle"}, begun)
	}
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM places"), "asking changes nothing")
	begun, err := h.StartListening(t.Context(), uid, listening.Start{Item: item, Device: desk, TakeOver: true})
	require.NoError(t, err)
	require.Equal(t, listening.Begun{Turn: first + 1, Last: listening.Last{Turn: first, Position: 40 * time.Second}}, begun)
	require.True(t, h.write(t, uid, listening.Write{Item: item, Turn: first, Step: 2, Position: 50 * time.Second, Duration: hour, Playing: true}))
	require.Equal(t, 40*time.Second, h.at(t, uid, item), "a stale tab moves nothing")

	other := h.begin(t, uid, lake, phone)
	require.True(t, h.write(t, uid, listening.Write{Item: item, Turn: begun.Turn, Step: 1, Position: time.Minute, Duration: hour, Playing: true}), "the lake plays")
	require.Equal(t, time.Minute, h.at(t, uid, item), "until then it was heard, by its own turn")
	require.False(t, h.write(t, uid, listening.Write{Item: lake, Turn: other, Step: 1, Position: time.Second, Duration: hour, Playing: true}))
	require.Zero(t, h.at(t, uuid.New(), item), "of another member nothing is known")
}

// placed is a member's listening as it is meant: a place is that of the newest write of the newest turn.
type placed struct {
	turns map[reading.Item]int64
	// before is the place at which each item's newest turn began; writes are all that were ever sent of it.
	before map[reading.Item]time.Duration
	writes []listening.Write
	newest listening.Newest
}

func (p *placed) at(item reading.Item) time.Duration {
	at, step := p.before[item], int64(0)
	for _, w := range p.writes {
		if w.Item == item && w.Turn == p.turns[item] && w.Step > step {
			at, step = w.Kept(), w.Step
		}
	}
	return at
}

// Two devices with tabs, whose requests come late, again and in any order, of which one clock alone is right: the service's.
func TestWhateverComesInAnyOrderThePlaceIsTheNewestTurnsAndOneDevicePlays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	items := []reading.Item{item, {Kind: reading.Meditation, ID: "lake"}, {Kind: reading.Bespoke, ID: uuid.NewString()}}
	devices := []uuid.UUID{uuid.New(), uuid.New()}
	rapid.Check(t, func(r *rapid.T) {
		uid, model := uuid.New(), placed{turns: map[reading.Item]int64{}, before: map[reading.Item]time.Duration{}}
		var made []listening.Write // with the last of each turn a tab goes on
		r.Repeat(map[string]func(*rapid.T){
			"start": func(r *rapid.T) {
				start := listening.Start{Item: rapid.SampledFrom(items).Draw(r, "item"), Device: rapid.SampledFrom(devices).Draw(r, "device"), TakeOver: rapid.Bool().Draw(r, "take over")}
				held := !start.TakeOver && model.newest.Playing && model.newest.Device != start.Device && h.Now.Sub(model.newest.At) < listening.HeldFor
				begun, err := h.StartListening(t.Context(), uid, start)
				require.NoError(r, err)
				require.Equal(r, held, begun.Elsewhere)
				if held {
					require.Zero(r, begun.Turn)
					return
				}
				require.Equal(r, listening.Last{Turn: model.turns[start.Item], Position: model.at(start.Item)}, begun.Last)
				require.Greater(r, begun.Turn, model.newest.Turn)
				model.before[start.Item] = begun.Last.Position
				model.turns[start.Item] = begun.Turn
				model.newest = listening.Newest{Turn: begun.Turn, Device: start.Device, Playing: true, At: h.Now}
				made = append(made, listening.Write{Item: start.Item, Turn: begun.Turn})
			},
			"write": func(r *rapid.T) {
				if len(made) == 0 {
					r.Skip()
				}
				w := rapid.SampledFrom(made).Draw(r, "tab")
				w.Step += int64(rapid.IntRange(1, 5).Draw(r, "step"))
				w.Position, w.Duration = time.Duration(rapid.IntRange(0, 60_000).Draw(r, "ms"))*time.Millisecond, time.Minute
				w.Playing = rapid.Bool().Draw(r, "playing")
				if again := w; model.sent(&again) {
					w = again // it is the same request, and comes again
				}
				saved, err := h.SavePlace(t.Context(), uid, w)
				require.NoError(r, err)
				require.Equal(r, w.Turn != model.turns[w.Item] || w.Playing && w.Turn < model.newest.Turn, saved.Moved)
				made = append(made, w)
				model.hear(w, h.Now)
			},
			"time": func(r *rapid.T) {
				h.Now = h.Now.Add(time.Duration(rapid.IntRange(1, 30).Draw(r, "seconds")) * time.Second)
			},
			"": func(r *rapid.T) {
				for _, i := range items {
					require.Equal(r, model.at(i), h.at(r, uid, i), i)
				}
			},
		})
		playing := 0 // every tab that was ever begun says that it plays, and goes on where it is not told otherwise
		for i, turn := range model.turns {
			saved, err := h.SavePlace(t.Context(), uid, listening.Write{Item: i, Turn: turn, Step: 1 << 40, Duration: time.Minute, Playing: true})
			require.NoError(r, err)
			if !saved.Moved {
				playing++
			}
		}
		require.LessOrEqual(r, playing, 1)
	})
}

// sent finds a request of that turn and step which was sent before.
func (p *placed) sent(w *listening.Write) bool {
	for _, before := range p.writes {
		if before.Item == w.Item && before.Turn == w.Turn && before.Step == w.Step {
			*w = before
			return true
		}
	}
	return false
}

// hear notes a request, and that its turn plays where it is the newest of all.
func (p *placed) hear(w listening.Write, now time.Time) {
	last := int64(0)
	for _, before := range p.writes {
		if before.Item == w.Item && before.Turn == w.Turn {
			last = max(last, before.Step)
		}
	}
	p.writes = append(p.writes, w)
	if w.Turn == p.newest.Turn && w.Step > last {
		p.newest.Playing, p.newest.At = w.Playing, now
	}
}

func TestOfTwoDevicesThatBeginAtOnceOneAsks(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx := context.WithoutCancel(t.Context())
	for range 20 {
		uid := uuid.New()
		begun := make([]listening.Begun, 8)
		failed := make([]error, len(begun))
		var wait sync.WaitGroup
		for i := range begun {
			wait.Go(func() {
				begun[i], failed[i] = h.StartListening(ctx, uid, listening.Start{Item: item, Device: uuid.New()})
			})
		}
		wait.Wait()
		started := 0
		for i := range begun {
			require.NoError(t, failed[i])
			if begun[i].Turn > 0 {
				started++
			}
		}
		require.Equal(t, 1, started)
	}
}

func TestTheFiveHundredItemsBegunLastAreKept(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, phone := uuid.New(), uuid.New()
	_, err := h.Pool.Exec(t.Context(), `INSERT INTO places SELECT $1, 'article', 'e' || n, n, 1, $2, false, 1000, 60000, false, now() FROM generate_series(1, $3::int) n`,
		uid, phone, listening.Limit)
	require.NoError(t, err)
	h.begin(t, uid, reading.Item{Kind: reading.Article, ID: "e1"}, phone)
	require.Equal(t, listening.Limit, h.Count(t, "SELECT count(*) FROM places"), "one that was begun before is the newest now")
	h.begin(t, uid, reading.Item{Kind: reading.Article, ID: "new"}, phone)
	require.Equal(t, listening.Limit, h.Count(t, "SELECT count(*) FROM places"))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM places WHERE item = 'e2'"), "the one that was begun first")
	require.True(t, h.write(t, uid, listening.Write{Item: reading.Item{Kind: reading.Article, ID: "e2"}, Turn: 2, Step: 2, Duration: hour}))
}

func TestPlacesAreListedTheLastFirstWhileTheyAreHeardAndPublished(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Library(t)
	uid, phone := uuid.New(), uuid.New()
	own := reading.Item{Kind: reading.Bespoke, ID: uuid.NewString()}
	var turns []int64
	for _, i := range []reading.Item{{Kind: reading.Article, ID: "a"}, {Kind: reading.Article, ID: "b"}, own, {Kind: reading.Article, ID: "c"}, {Kind: reading.Article, ID: "begun"}} {
		if i.Kind == reading.Article {
			h.Article(t, i.ID, "Rest "+i.ID, "", "2026-02-01")
		}
		turns = append(turns, h.begin(t, uid, i, phone))
		if i.ID != "begun" {
			require.False(t, h.write(t, uid, listening.Write{Item: i, Turn: turns[len(turns)-1], Step: 1, Position: time.Minute, Duration: hour}))
		}
	}
	h.Withdraw(t, "b")
	h.write(t, uid, listening.Write{Item: reading.Item{Kind: reading.Article, ID: "c"}, Turn: turns[3], Step: 2, Position: hour, Duration: hour})
	listed := func() (ids []string) {
		places, err := h.Places(t.Context(), uid, 10)
		require.NoError(t, err)
		for _, p := range places {
			require.Equal(t, time.Minute, p.Position)
			ids = append(ids, p.Item.ID)
		}
		return ids
	}
	require.Equal(t, []string{own.ID, "a"}, listed())
	h.begin(t, uid, reading.Item{Kind: reading.Article, ID: "a"}, phone)
	require.Equal(t, []string{"a", own.ID}, listed())

	all, err := h.AllPlaces(t.Context(), uid, false)
	require.NoError(t, err)
	var said []string
	for _, p := range all {
		said = append(said, fmt.Sprintf("%s %v %v", p.Title, p.Position, p.Finished))
	}
	require.Equal(t, []string{"Rest a 1m0s false", "Rest begun 0s false", "Rest c 0s true", " 1m0s false", " 1m0s false"}, said)
}

func TestPlacesGoWithTheAccountAndWithAMeditationThatIsGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid, other, phone := uuid.New(), uuid.New(), uuid.New()
	own := uuid.New()
	turn := h.begin(t, uid, reading.Item{Kind: reading.Bespoke, ID: own.String()}, phone)
	h.begin(t, uid, item, phone)
	h.begin(t, other, item, phone)
	require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetBespoke(ctx, tx, own) }))
	require.Equal(t, 2, h.Count(t, "SELECT count(*) FROM places"))
	require.True(t, h.write(t, uid, listening.Write{Item: reading.Item{Kind: reading.Bespoke, ID: own.String()}, Turn: turn, Step: 1, Duration: hour}))
	require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetMember(ctx, tx, uid) }))
	require.Zero(t, h.begin(t, uid, item, phone), "what is under way comes too late")
	require.Equal(t, 1, h.Count(t, "SELECT count(*) FROM places"))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM places WHERE uid = $1", uid))
}
