//go:build full

package faults

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/structpb"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/contentage"
)

// followed is the article that is looked at, one that everybody may read.
const followed = "plain-answers-for-a-first-sitting"

// old is the age of a page that cannot be seen of a mirror that is renewed every second.
const old = 3 * time.Second

// A second product follows the first one's content, and every page of it can be opened whatever becomes of the first.
func TestPagesOfAMirrorRenderTheLastGoodCopyAndSayItsAgeWhileTheUpstreamIsKilledSlowOrLying(t *testing.T) { // not parallel: it kills content
	ctx := t.Context()
	between := newMiddleman(t)
	mirror, err := harness.StartWith(ctx, stack.Options{DataDir: t.TempDir(), Environ: map[string]string{
		"LIMIT_SCALE": "1000", "UPSTREAM_URL": between.URL, "UPSTREAM_SPACE": "serein", "UPSTREAM_TOKEN": product.DeliveryToken(),
		"UPSTREAM_EVERY": "1s", "UPSTREAM_TIMEOUT": "1s",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, mirror.Stop()) })
	reader, err := mirror.Join(ctx) // the gateway asks content for a member's pages each time
	require.NoError(t, err)
	said := published(ctx, t, "Said while all is well.")
	awaitPage(ctx, t, reader.Browser, said)

	for _, trouble := range []struct {
		name       string
		begin, end func()
	}{
		{"killed", func() { kill(t, "content") }, func() { revive(ctx, t, "content") }},
		{"slow", func() { between.answers(drip, drip) }, func() { between.answers(nil) }},
		{"lying", func() { between.answers(lies...) }, func() { between.answers(nil) }},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			trouble.begin()
			awaitOldPage(ctx, t, reader.Browser, said)
			between.awaitTold(ctx, t)
			trouble.end()
			said = published(ctx, t, "Said after it was "+trouble.name+".")
			awaitPage(ctx, t, reader.Browser, said)
		})
	}

	t.Run("the mirror itself killed", func(t *testing.T) {
		visitor := mirror.NewBrowser()
		awaitPage(ctx, t, visitor, said)
		require.NoError(t, mirror.KillPart("content"))
		awaitOldPage(ctx, t, visitor, said)
		require.NoError(t, mirror.StartPart(ctx, "content"))
		awaitPage(ctx, t, visitor, said)
	})
}

// page fetches the article, which is there, and says how old it says that it is.
func page(ctx context.Context, t *testing.T, reader *harness.Browser) (body string, age time.Duration) {
	t.Helper()
	got, err := reader.Get(ctx, "/articles/"+followed)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, got.StatusCode)
	age, _ = contentage.From(got.Header)
	return got.Body, age
}

// awaitPage waits until the page is young and has the words.
func awaitPage(ctx context.Context, t *testing.T, reader *harness.Browser, words string) {
	t.Helper()
	require.NoError(t, harness.Eventually(ctx, words, func(ctx context.Context) (bool, error) {
		body, age := page(ctx, t, reader)
		return strings.Contains(body, words) && age < old, nil
	}))
}

// awaitOldPage waits until the page is old, with the same words all the time.
func awaitOldPage(ctx context.Context, t *testing.T, reader *harness.Browser, words string) {
	t.Helper()
	var before time.Duration
	require.NoError(t, harness.Eventually(ctx, "an old page", func(ctx context.Context) (bool, error) {
		body, age := page(ctx, t, reader)
		require.Contains(t, body, words)
		grows := age > before && before >= old
		before = age
		return grows, nil
	}))
}

// published changes the article at the upstream, as an admin does.
func published(ctx context.Context, t *testing.T, words string) string {
	t.Helper()
	signer, err := auth.NewSigner("gateway", product.ServiceKey("gateway"))
	require.NoError(t, err)
	token, err := signer.Token("content", auth.Subject{UID: uuid.NewString(), Admin: true})
	require.NoError(t, err)
	conn, err := product.Dial("content")
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	ctx, key := harness.Bearer(ctx, token), &contentv1.ItemKey{Id: followed}
	got := &contentv1.GetItemResponse{}
	require.NoError(t, conn.Invoke(ctx, contentv1connect.ManagementServiceGetItemProcedure, &contentv1.GetItemRequest{Key: key}, got, grpc.WaitForReady(true)))
	fields := got.GetItem().GetFields()
	fields.Fields["description"], err = structpb.NewValue(map[string]any{"en-GB": words})
	require.NoError(t, err)
	changed := &contentv1.UpdateItemResponse{}
	require.NoError(t, conn.Invoke(ctx, contentv1connect.ManagementServiceUpdateItemProcedure,
		&contentv1.UpdateItemRequest{Key: key, Version: got.GetItem().GetVersion(), Fields: fields}, changed))
	require.NoError(t, conn.Invoke(ctx, contentv1connect.ManagementServiceChangeItemProcedure,
		&contentv1.ChangeItemRequest{Key: key, Version: changed.GetItem().GetVersion(), Step: contentv1.Step_STEP_PUBLISH}, &contentv1.ChangeItemResponse{}))
	return words
}

// middleman stands between the mirror and the upstream.
type middleman struct {
	*httptest.Server
	upstream http.Handler

	mu     sync.Mutex
	others []http.HandlerFunc // one after the other answers /sync instead of the upstream, and then the last of them
	told   int                // how often they were asked
}

func newMiddleman(t *testing.T) *middleman {
	t.Helper()
	target, err := url.Parse(product.DeliveryURL())
	require.NoError(t, err)
	upstream := httputil.NewSingleHostReverseProxy(target)
	upstream.ErrorLog = log.New(io.Discard, "", 0)
	upstream.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // as who is dead
	m := &middleman{upstream: upstream}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *middleman) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if answer := m.next(r); answer != nil {
		answer(w, r)
		return
	}
	m.upstream.ServeHTTP(w, r)
}

func (m *middleman) next(r *http.Request) http.HandlerFunc {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.others) == 0 || !strings.HasSuffix(r.URL.Path, "/sync") {
		return nil
	}
	m.told++
	return m.others[min(m.told, len(m.others))-1]
}

// answers has others answer from now on; none: the upstream.
func (m *middleman) answers(others ...http.HandlerFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.others, m.told = others, 0
}

// awaitTold waits until each of the others was asked; all but the last have been given up then.
func (m *middleman) awaitTold(ctx context.Context, t *testing.T) {
	t.Helper()
	require.NoError(t, harness.Eventually(ctx, "all that can be told", func(_ context.Context) (bool, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		return len(m.others) == 0 || m.told >= len(m.others), nil
	}))
}

// drip answers without an end, and slowly.
func drip(w http.ResponseWriter, r *http.Request) {
	flush := http.NewResponseController(w)
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		_ = flush.Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// lies that an upstream may tell. The first one is of the article alone, and the round that brings it is a good one.
var lies = []http.HandlerFunc{
	func(w http.ResponseWriter, r *http.Request) { // an article whose title is a number
		_, _ = fmt.Fprintf(w, `{"sys":{"type":"Array"},"items":[{"sys":{"id":%q,"type":"Entry","contentType":{"sys":{"id":"article"}},"revision":1000,
			"createdAt":"2026-01-01T00:00:00Z","updatedAt":"2027-01-01T00:00:00Z"},"fields":{"title":{"en-GB":7}}}],"nextSyncUrl":"https://elsewhere.example/?sync_token=%s"}`,
			followed, url.QueryEscape(r.URL.Query().Get("sync_token")))
	},
	func(w http.ResponseWriter, _ *http.Request) { // endless
		_, err := io.WriteString(w, `{"items":[`)
		for space := strings.Repeat(" ", 64<<10); err == nil; {
			_, err = io.WriteString(w, space)
		}
	},
	func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"items":[{"sys":`) },
	func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"items":"none","nextSyncUrl":["https://elsewhere.example/"]}`)
	},
}
