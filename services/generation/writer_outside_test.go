package generation

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/script"
	"serein.app/services/testkit"
)

// vendorOf stands for a vendor of a model, and counts what it is asked.
func vendorOf(t *testing.T, answer http.HandlerFunc) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// writtenBy has scripts written at that address.
func (h *harness) writtenBy(address string) option {
	counted, err := metrics.New(h.meters)
	require.NoError(h.t, err)
	cfg := outsideWriter(func(c *WriterConfig) { c.Writer, c.WriterURL = "openai", address })
	purse := budget.New(store.New(h.db.Pool, nil), budget.Writing, cfg.limits(), time.Now)
	return func(p *meditation.Ports) {
		p.Writer = writerOf(testkit.Logger(h.t), cfg, script.Composer{}, purse, counted)
	}
}

// scriptLines are the lines of a model's answer: what Serein's own writer writes of another title.
func scriptLines(t *testing.T, uid uuid.UUID) (lines []string) {
	t.Helper()
	r := request()
	r.Title = "A walk by the canal"
	s, err := script.Composer{}.Write(t.Context(), meditation.Meditation{UID: uid, Request: r, Brief: meditation.Brief{
		MinWords: 350, MaxWords: 380, Breaks: 17, Pause: 40 * time.Second,
		Affirmations: []string{"The day is done, and I may let it go.", "Nothing is asked of me tonight.", "Sleep knows the way to me."},
	}})
	require.NoError(t, err)
	for i, p := range s.Passages {
		line, _ := json.Marshal(map[string]any{"n": i + 1, "say": p.Sentences, "rest": "short"})
		lines = append(lines, string(line)+"\n")
	}
	return lines
}

// streamedScript is such an answer as a vendor streams it.
func streamedScript(t *testing.T, uid uuid.UUID) http.HandlerFunc {
	t.Helper()
	lines := scriptLines(t, uid)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, line := range lines {
			chunk, _ := json.Marshal(map[string]any{"object": "chat.completion.chunk", "choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": line}}}})
			fmt.Fprintf(w, "data: %s\n\n", chunk)
		}
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n")
		fmt.Fprint(w, `data: {"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":700,"total_tokens":1700}}`+"\n\ndata: [DONE]\n\n")
	}
}

func TestAScriptFromOutsideIsNarratedAndPaidOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	address, asked := vendorOf(t, streamedScript(t, uid))
	p := h.start(1, time.Hour, h.writtenBy(address))
	m := h.ended(p, uid, h.create(p, uid).ID)
	require.Equal(t, meditation.Ready, m.State)
	require.EqualValues(t, 1, asked.Load())
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Equal(t, 1000*3+700*15, h.count(`SELECT microunits FROM outside_spend WHERE uid = $1 AND kind = 'writing'`, uid))
	require.Equal(t, 1000*3+700*15, h.count(`SELECT microunits FROM outside_spend WHERE uid = $1 AND kind = 'writing'`, uuid.Nil))
}

func TestAVendorThatFailsCostsTheMemberNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	address, asked := vendorOf(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	uid := h.member(8)
	p := h.start(1, time.Hour, h.writtenBy(address))
	m := h.ended(p, uid, h.create(p, uid).ID)
	require.Equal(t, meditation.Ready, m.State)
	require.EqualValues(t, 1, asked.Load())
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
	require.Zero(t, h.count(`SELECT count(*) FROM outside_spend`))
}
