package calls

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/suite"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// badRequests are requests to the generator: a field, what stands in it, and the reason it is
// refused for.
var badRequests = []struct {
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

func TestABadRequestIsNamedAndChangesNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	for _, bad := range badRequests {
		request := map[string]any{
			"title": "A calm sea", "type_id": "anxiety-relief", "practice_id": "secular-mindfulness", "size_id": "minimed",
			"immersive": true, "idempotency_key": uuid.NewString(), "local_date": "2026-11-21",
		}
		request[bad.field] = bad.value
		body, err := json.Marshal(request)
		require.NoError(t, err)
		page, err := member.Post(ctx, webv1connect.GeneratorServiceGenerateProcedure, string(body))
		require.NoError(t, err)
		refused := harness.RefusalIn(page)
		what := fmt.Sprintf("%s %.40q", bad.field, fmt.Sprint(bad.value))
		require.Equal(t, []string{"invalid_argument", bad.reason}, []string{refused.Code, refused.Reason}, what)
		if _, text := bad.value.(string); text && bad.field != "immersive" {
			require.Equal(t, bad.field, refused.Field, what)
		}
		if bad.reason == "TITLE_PROFANE" {
			require.Equal(t, "Title must not contain profanities", refused.Message)
		}
	}
	product.RequireUntouched(ctx, t, member)
}

// A title is text: what looks like markup or is written from right to left is kept as it is.
func TestATitleOfAnyScriptIsKeptAndHarmless(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	for _, title := range []string{markup, "صباح هادئ 🌅", "Scunthorpe at dawn"} {
		made, err := member.Generate(ctx, harness.SmallRequest(title))
		require.NoError(t, err, title)
		require.Equal(t, title, made.GetTitle())
		suite.Cancel(ctx, t, member, made.GetId())
	}
	page, err := member.Get(ctx, "/journey")
	require.NoError(t, err)
	require.NotContains(t, page.Body, markup)
}

func TestARequestSentTwiceMakesOneMeditation(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	member, err := product.NewMember(ctx)
	require.NoError(t, err)
	request := harness.LongRequest("Twice is once")
	ids, faults := make([]string, 4), make([]error, 4)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			made, err := member.Generate(ctx, request)
			ids[i], faults[i] = made.GetId(), err
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(faults...))
	require.Equal(t, []string{ids[0], ids[0], ids[0], ids[0]}, ids)
	credits, err := member.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, []int64{product.TrialCredits(ctx, t) - 1, 1}, []int64{credits.GetPlan(), credits.GetHeld()})

	other := harness.LongRequest("Another request")
	other.IdempotencyKey = request.GetIdempotencyKey()
	_, err = member.Generate(ctx, other)
	require.Equal(t, "IDEMPOTENCY_KEY_REUSED", harness.RefusalOf(err).Reason)
	suite.Cancel(ctx, t, member, ids[0])
	product.RequireUntouched(ctx, t, member, "release") // which the ledger tells once
}
