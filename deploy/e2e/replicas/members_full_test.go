//go:build full

package replicas

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// richCredits are enough for as many meditations as a member asks for in a test.
const richCredits = 1000

// rich is a member with credits for many meditations.
func rich(ctx context.Context, t *testing.T) *harness.Member {
	t.Helper()
	m, err := product.NewMember(ctx)
	require.NoError(t, err)
	_, err = harness.SQL[string](ctx, product.Harness, "billing",
		`SELECT grant_credits($1, 'top_up', $2, 'test:' || gen_random_uuid(), NULL, 'Replicas', '', now())`, m.UID, richCredits)
	require.NoError(t, err)
	return m
}

// work is what members do at the same time, each one thing after the other.
type work struct {
	all sync.WaitGroup

	mu     sync.Mutex
	done   map[string]int
	faults []error
}

// keep has somebody do something until ctx ends. What is under way then is finished.
func (w *work) keep(ctx context.Context, what string, do func(context.Context) error) {
	w.all.Go(func() {
		for ctx.Err() == nil {
			w.note(what, do(context.WithoutCancel(ctx)))
		}
	})
}

func (w *work) note(what string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done == nil {
		w.done = map[string]int{}
	}
	w.done[what]++
	if err != nil {
		w.faults = append(w.faults, fmt.Errorf("%s %d: %w", what, w.done[what], err))
	}
}

// count is how often something was done, well or not.
func (w *work) count(what string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[what]
}

// pages are what a reader opens in turn: written by the build, filled with content, and a member's own.
var pages = []string{"/", "/articles", "/about", "/memberships", "/journey", "/members", "/sitemap.xml"}

// readAll opens all pages, and asks as the app does.
func readAll(ctx context.Context, m *harness.Member) error {
	for _, path := range pages {
		page, err := m.Get(ctx, path)
		if err == nil && (page.StatusCode != http.StatusOK || page.Request.URL.Path != path) {
			err = fmt.Errorf("%s answers %s at %s", path, page.Status, page.Request.URL.Path)
		}
		if err != nil {
			return err
		}
	}
	if _, err := m.Credits(ctx); err != nil {
		return err
	}
	if _, err := m.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{}); err != nil {
		return err
	}
	_, err := m.Shop.GetApparel(ctx, &webv1.GetApparelRequest{})
	return err
}

// listen hears a recording in parts, as players ask for it.
func listen(ctx context.Context, m *harness.Member, address string) error {
	for from := 0; from < 64<<10; from += 16 << 10 {
		page, err := m.Get(ctx, address, "Range", fmt.Sprintf("bytes=%d-%d", from, from+16<<10-1))
		if err == nil && (page.StatusCode != http.StatusPartialContent || len(page.Body) != 16<<10) {
			err = fmt.Errorf("%s answers %s with %d bytes", address, page.Status, len(page.Body))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// generate asks for a meditation and follows its stream to the end.
func generate(ctx context.Context, m *harness.Member) (id string, err error) {
	made, err := m.Generate(ctx, harness.SmallRequest("Two of each"))
	if err != nil {
		return "", err
	}
	return made.GetId(), watch(ctx, m, made.GetId())
}

// watch follows a stream until the meditation is ready. A server that stops ends it with words (UNAVAILABLE), and the app comes back; a
// stream that ends without them is a fault.
func watch(ctx context.Context, m *harness.Member, id string) error {
	for {
		stream, err := m.Generator.WatchMeditation(ctx, &webv1.WatchMeditationRequest{Id: id})
		if err != nil {
			return err
		}
		stage := webv1.Stage_STAGE_UNSPECIFIED
		for stream.Receive() {
			stage = stream.Msg().GetMeditation().GetStage()
		}
		err = errors.Join(stream.Err(), stream.Close())
		switch {
		case err == nil && stage == webv1.Stage_STAGE_READY:
			return nil
		case connect.IsWireError(err) && connect.CodeOf(err) == connect.CodeUnavailable:
		default:
			return fmt.Errorf("the stream of %s ended at %s: %w", id, stage, err)
		}
	}
}

// requirePaidOnce: each of the member's meditations is ready and paid for once, and nothing else is.
func requirePaidOnce(ctx context.Context, t *testing.T, m *harness.Member, made []string) {
	t.Helper()
	for _, id := range made {
		found, err := m.AwaitEnd(ctx, id)
		require.NoError(t, err)
		require.Equal(t, webv1.Stage_STAGE_READY, found.GetStage(), found.GetFailureMessage())
	}
	require.NoError(t, harness.Eventually(ctx, "no credit is held", func(ctx context.Context) (bool, error) {
		credits, err := m.Credits(ctx)
		return err == nil && credits.GetHeld() == 0, err
	}))
	paid, err := harness.SQL[[]string](ctx, product.Harness, "billing",
		`SELECT coalesce(array_agg(reference ORDER BY reference), '{}') FROM holds WHERE uid = $1 AND state = 'captured'`, m.UID)
	require.NoError(t, err)
	require.Len(t, paid, len(made))
	for _, id := range made {
		require.True(t, slices.ContainsFunc(paid, func(reference string) bool { return strings.Contains(reference, id) }), "%s in %v", id, paid)
	}
	stored, err := harness.SQL[int](ctx, product.Harness, "generation", `SELECT count(*) FROM meditations WHERE uid = $1`, m.UID)
	require.NoError(t, err)
	require.Equal(t, len(made), stored, "each request made one meditation")
	credits, err := m.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, product.TrialCredits(ctx, t)+richCredits-int64(len(made)), credits.GetPlan()+credits.GetTopUp())
}
