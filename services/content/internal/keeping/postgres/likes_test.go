package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/content/internal/contenttest"
	"serein.app/services/content/internal/keeping"
	store "serein.app/services/content/internal/keeping/postgres"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/postgres"
)

var item = reading.Item{Kind: reading.Article, ID: "a"}

// harness is one test's database and what members keep.
type harness struct {
	*contenttest.Harness
	*store.Store
}

func setup(tb testing.TB) *harness {
	tb.Helper()
	h := contenttest.Open(tb)
	return &harness{h, h.Stores.Kept}
}

func (h *harness) standing(tb testing.TB, uid uuid.UUID) reading.UserItemState {
	tb.Helper()
	around, err := h.Stores.Pages.Surroundings(tb.Context(), reading.SurroundingsAsked{UID: uid, Cards: []reading.Card{{Kind: item.Kind, ID: item.ID}}})
	require.NoError(tb, err)
	return around.Standings[item.Kind][item.ID]
}

func TestLikesAreASetAMemberAndChangesAloneAreTold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	amara, ben := uuid.New(), uuid.New()
	for _, liked := range []bool{false, true, true, false, false, true} {
		standing, err := h.SetLike(t.Context(), amara, item, liked)
		require.NoError(t, err)
		require.Equal(t, liked, standing.Liked)
	}
	standing, err := h.SetLike(t.Context(), ben, item, true)
	require.NoError(t, err)
	require.Equal(t, reading.UserItemState{Likes: 2, Liked: true}, standing)
	require.Equal(t, reading.UserItemState{Likes: 2}, h.standing(t, uuid.Nil), "nobody likes nothing")
	var want []proto.Message
	for _, liked := range []bool{true, false, true} {
		want = append(want, &eventsv1.ItemLiked{Uid: amara.String(), ItemId: "a", Liked: liked})
	}
	want = append(want, &eventsv1.ItemLiked{Uid: ben.String(), ItemId: "a", Liked: true})
	got := h.Told(t)
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, proto.Equal(want[i], got[i]), "%v", got[i])
	}
}

func TestALikeIsTurnedRoundUnlessItIsRefused(t *testing.T) {
	t.Parallel()
	h := setup(t)
	amara, errNo := uuid.New(), errors.New("no")
	for _, c := range []struct {
		refusal error
		want    reading.UserItemState
	}{{nil, reading.UserItemState{Likes: 1, Liked: true}}, {errNo, reading.UserItemState{}}, {nil, reading.UserItemState{Likes: 1, Liked: true}}, {nil, reading.UserItemState{}}} {
		standing, err := h.ToggleLike(t.Context(), amara, item, c.refusal)
		require.NoError(t, err)
		require.Equal(t, c.want, standing)
	}
	_, err := h.ToggleLike(t.Context(), amara, item, errNo)
	require.ErrorIs(t, err, errNo)
	require.Equal(t, reading.UserItemState{}, h.standing(t, amara))
	require.Len(t, h.Told(t), 4, "of changes alone")
}

func TestAThousandLikesAtOnceAreAThousandLikes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	members := make([]uuid.UUID, 500)
	for i := range members {
		members[i] = uuid.New()
	}
	var wait sync.WaitGroup
	failed := make(chan error, 1000)
	ctx := context.WithoutCancel(t.Context())
	for range 2 { // each member twice
		for _, uid := range members {
			wait.Go(func() {
				if _, err := h.SetLike(ctx, uid, item, true); err != nil {
					failed <- err
				}
			})
		}
	}
	wait.Wait()
	require.Empty(t, failed)
	require.Equal(t, 500, h.standing(t, uuid.Nil).Likes)
	require.Equal(t, 500, h.Count(t, "SELECT count(*) FROM likes"))
	require.Equal(t, 500, h.Count(t, "SELECT count(*) FROM outbox"))
	for i, uid := range members {
		wait.Go(func() {
			if _, err := h.SetLike(ctx, uid, item, i%2 == 0); err != nil {
				failed <- err
			}
		})
	}
	wait.Wait()
	require.Empty(t, failed)
	require.Equal(t, 250, h.standing(t, uuid.Nil).Likes)
	for _, uid := range members {
		for _, liked := range []bool{true, false} { // the count goes and comes all the time
			wait.Go(func() {
				if _, err := h.SetLike(ctx, uid, item, liked); err != nil {
					failed <- err
				}
			})
		}
	}
	wait.Wait()
	require.Empty(t, failed)
	require.Equal(t, h.Count(t, "SELECT count(*) FROM likes"), h.standing(t, uuid.Nil).Likes)
	for _, uid := range members {
		_, err := h.SetLike(ctx, uid, item, false)
		require.NoError(t, err)
	}
	require.Zero(t, h.Count(t, "SELECT count(*) FROM like_counts"), "no row stays that counts nothing")
}

func TestAMemberKeepsTwoThousandItemsAndNoMore(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	_, err := h.Pool.Exec(t.Context(), "INSERT INTO saved SELECT $1, 'bespoke', n::text, now() FROM generate_series(1, $2::int) n", uid, keeping.MaxSaved-5)
	require.NoError(t, err)
	var wait sync.WaitGroup
	results := make([]error, 20)
	for i := range results {
		wait.Go(func() {
			_, _, results[i] = h.SetSaved(context.WithoutCancel(t.Context()), uid, reading.Item{Kind: reading.Bespoke, ID: fmt.Sprint("a", i)}, true)
		})
	}
	wait.Wait()
	full := 0
	for _, err := range results {
		if err != nil {
			require.ErrorIs(t, err, keeping.ErrFull)
			full++
		}
	}
	require.Equal(t, 15, full)
	require.Equal(t, keeping.MaxSaved, h.Count(t, "SELECT count(*) FROM saved"))
	last := reading.Item{Kind: reading.Bespoke, ID: "1"}
	_, changed, err := h.SetSaved(t.Context(), uid, last, true)
	require.NoError(t, err, "what is there already has its room")
	require.False(t, changed)
	_, changed, err = h.SetSaved(t.Context(), uid, last, false)
	require.NoError(t, err)
	require.True(t, changed)
	standing, changed, err := h.SetSaved(t.Context(), uid, item, true)
	require.NoError(t, err)
	require.True(t, changed)
	require.True(t, standing.Saved)
	require.Equal(t, 5+2, h.Count(t, "SELECT count(*) FROM outbox WHERE subject = 'serein.content.item.saved.v1'"))
}

func TestNothingIsKeptOfAMemberWhoHasGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	gone, other := uuid.New(), uuid.New()
	for _, uid := range []uuid.UUID{gone, other} {
		_, err := h.SetLike(t.Context(), uid, item, true)
		require.NoError(t, err)
		_, _, err = h.SetSaved(t.Context(), uid, item, true)
		require.NoError(t, err)
	}
	require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetMember(ctx, tx, gone) }))
	require.Equal(t, reading.UserItemState{Likes: 1}, h.standing(t, gone))
	require.Equal(t, reading.UserItemState{Likes: 1, Liked: true, Saved: true}, h.standing(t, other))
	// What they pressed before comes behind the end of their account.
	late, err := h.SetLike(t.Context(), gone, item, true)
	require.NoError(t, err)
	require.False(t, late.Liked)
	late, err = h.ToggleLike(t.Context(), gone, item, nil)
	require.NoError(t, err)
	require.False(t, late.Liked)
	late, changed, err := h.SetSaved(t.Context(), gone, item, true)
	require.NoError(t, err)
	require.False(t, changed || late.Saved)
	require.Zero(t, h.Count(t, "SELECT (SELECT count(*) FROM likes WHERE uid = $1) + (SELECT count(*) FROM saved WHERE uid = $1)", gone))
}

// Presses while the account is deleted: whichever come first, none stays.
func TestNothingIsAddedBesideTheEndOfAnAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for range 20 {
		gone := uuid.New()
		var wait sync.WaitGroup
		for i := range 10 {
			wait.Go(func() {
				ctx := context.WithoutCancel(t.Context())
				one := reading.Item{Kind: reading.Article, ID: fmt.Sprint("a", i)}
				_, _ = h.SetLike(ctx, gone, one, true)
				_, _, _ = h.SetSaved(ctx, gone, one, true)
			})
		}
		require.NoError(t, postgres.InTx(t.Context(), h.Pool, func(ctx context.Context, tx pgx.Tx) error { return h.Stores.ForgetMember(ctx, tx, gone) }))
		wait.Wait()
	}
	require.Zero(t, h.Count(t, "SELECT (SELECT count(*) FROM likes) + (SELECT count(*) FROM saved)"))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM like_counts"))
}

func TestWhatReadersGetNoMoreTakesNoRoomAmongWhatIsSaved(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := uuid.New()
	_, err := h.Pool.Exec(t.Context(), "INSERT INTO saved SELECT $1, 'article', 'deleted' || n, now() FROM generate_series(1, $2::int) n", uid, keeping.MaxSaved)
	require.NoError(t, err)
	_, changed, err := h.SetSaved(t.Context(), uid, reading.Item{Kind: reading.Bespoke, ID: "1"}, true)
	require.NoError(t, err)
	require.True(t, changed)
}
