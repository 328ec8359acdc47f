package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/house"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// badWishes are requests to the generator: a field, what stands in it, and the reason it is
// refused for.
var badWishes = []struct {
	field  string
	value  any
	reason string
}{
	{"title", "", "TITLE_REQUIRED"},
	{"title", " \t\u200b ", "TITLE_REQUIRED"},
	{"title", strings.Repeat("a", 81), "TITLE_TOO_LONG"},
	{"title", strings.Repeat("🙂", 81), "TITLE_TOO_LONG"},
	{"title", strings.Repeat("a", 4097), "INVALID_ARGUMENT"},
	{"title", "two\nlines", "TITLE_INVALID"},
	{"title", "no\x00thing", "TITLE_INVALID"},
	{"title", "turned" + override + "round", "TITLE_INVALID"},
	{"title", "What a BLOODY Bástard!", "TITLE_PROFANE"},
	{"title", 12, "INVALID_ARGUMENT"},
	{"title", []string{"a"}, "INVALID_ARGUMENT"},
	{"type_id", "", "UNKNOWN_TYPE"},
	{"type_id", "flying", "UNKNOWN_TYPE"},
	{"type_id", markup, "UNKNOWN_TYPE"},
	{"practice_id", "flying", "UNKNOWN_PRACTICE"},
	{"size_id", "enormous", "UNKNOWN_SIZE"},
	{"track_id", "../../etc/passwd", "UNKNOWN_TRACK"},
	{"size_id", strings.Repeat("a", 65), "INVALID_ARGUMENT"},
	{"immersive", "yes", "INVALID_ARGUMENT"},
	{"idempotency_key", "", "INVALID_ARGUMENT"},
	{"idempotency_key", "1", "INVALID_ARGUMENT"},
	{"local_date", "2026-13-40", "LOCAL_DATE_INVALID"},
	{"local_date", "tomorrow", "INVALID_ARGUMENT"},
}

func TestABadWishIsNamedAndChangesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dreamer, err := home.NewMember(ctx)
	require.NoError(t, err)
	for _, bad := range badWishes {
		wish := map[string]any{
			"title": "A calm sea", "type_id": "anxiety-relief", "practice_id": "secular-mindfulness", "size_id": "minimed",
			"immersive": true, "idempotency_key": uuid.NewString(), "local_date": "2026-11-21",
		}
		wish[bad.field] = bad.value
		body, err := json.Marshal(wish)
		require.NoError(t, err)
		page, err := dreamer.Post(ctx, webv1connect.GeneratorServiceGenerateProcedure, string(body))
		require.NoError(t, err)
		refused := house.RefusalIn(page)
		what := fmt.Sprintf("%s %.40q", bad.field, fmt.Sprint(bad.value))
		require.Equal(t, []string{"invalid_argument", bad.reason}, []string{refused.Code, refused.Reason}, what)
		if _, text := bad.value.(string); text && bad.field != "immersive" {
			require.Equal(t, bad.field, refused.Field, what)
		}
		if bad.reason == "TITLE_PROFANE" {
			require.Equal(t, "Title must not contain profanities", refused.Message)
		}
	}
	requireUntouched(ctx, t, dreamer)
}

// A title is text: what looks like markup or is written from right to left is kept as it is.
func TestATitleOfAnyScriptIsKeptAndHarmless(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dreamer, err := home.NewMember(ctx)
	require.NoError(t, err)
	for _, title := range []string{markup, "صباح هادئ 🌅", "Scunthorpe at dawn"} {
		made, err := dreamer.Generate(ctx, house.Wish(title))
		require.NoError(t, err, title)
		require.Equal(t, title, made.GetTitle())
		cancelled(ctx, t, dreamer, made.GetId())
	}
	page, err := dreamer.Get(ctx, "/journey")
	require.NoError(t, err)
	require.NotContains(t, page.Body, markup)
}

func TestAPressSentTwiceIsOnePress(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dreamer, err := home.NewMember(ctx)
	require.NoError(t, err)
	wish := house.Wish("Twice is once")
	ids := make([]string, 4)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if made, err := dreamer.Generate(ctx, wish); err == nil {
				ids[i] = made.GetId()
			}
		})
	}
	all.Wait()
	require.NotEmpty(t, ids[0])
	require.Equal(t, []string{ids[0], ids[0], ids[0], ids[0]}, ids)
	credits, err := dreamer.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{7, 1}, []int64{credits.GetPlan(), credits.GetHeld()})

	other := house.Wish("Another wish")
	other.IdempotencyKey = wish.GetIdempotencyKey()
	_, err = dreamer.Generate(ctx, other)
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", house.RefusalOf(err).Reason)
	cancelled(ctx, t, dreamer, ids[0])
	requireUntouched(ctx, t, dreamer)
}

// cancelled takes a press back and waits until its credits are free again.
func cancelled(ctx context.Context, t *testing.T, m *house.Member, id string) {
	t.Helper()
	_, err := m.Generator.CancelMeditation(ctx, &webv1.CancelMeditationRequest{Id: id})
	require.NoError(t, err)
	require.NoError(t, house.Eventually(ctx, "the hold ends", func() (bool, error) {
		credits, err := m.Credits(ctx)
		return credits.GetHeld() == 0, err
	}))
}

// requireUntouched: the trial's credits are all there, and My Journey is empty.
func requireUntouched(ctx context.Context, t *testing.T, m *house.Member) {
	t.Helper()
	entries, err := home.Ledger(ctx, m.UID)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{8, 0}, []int64{credits.GetPlan(), credits.GetHeld()})
	list, err := m.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	require.NoError(t, err)
	require.Empty(t, list.GetMeditations())
}
