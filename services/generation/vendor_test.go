package generation

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/metrics"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/narrator/narratortest"
	"serein.app/services/generation/internal/narrator/openai"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/sound/mp3"
	"serein.app/services/testkit"
)

const novaFile = `
narrators:
  - id: nova
    name: Nova
    description: Warm and near.
    synthesiser: openai
    settings: {voice: nova}
    languages: [en-GB]
    sound: plain
    loudness: -16
    words_per_minute: 150
    fallback: maren
`

// studio is a process's recorder with an outside narrator, whose vendor is a stand-in.
type studio struct {
	h        *harness
	vendor   *narratortest.Server
	recorder *narration.Recorder
	speech   *limits.Synthesiser
}

func (h *harness) studio(memberBudget float64) *studio {
	h.t.Helper()
	code, err := os.ReadFile(testkit.Part(h.t, "mp3.wasm"))
	require.NoError(h.t, err)
	codec, err := mp3.Open(h.t.Context(), code, "")
	require.NoError(h.t, err)
	h.t.Cleanup(func() { require.NoError(h.t, codec.Close(context.Background())) })
	s := &studio{h: h, vendor: narratortest.Serve(h.t, narratortest.OpenAI)}
	file := filepath.Join(h.t.TempDir(), "narrators.yaml")
	require.NoError(h.t, os.WriteFile(file, []byte(novaFile), 0o600))
	cfg := narrator.Config{
		File: file, CallTime: 30 * time.Second, BudgetDay: 100, BudgetMember: memberBudget,
		OpenAI: openai.Config{URL: s.vendor.URL + "/v1", Key: narratortest.Key, Model: "tts-1", Format: "pcm", Calls: 2, Price: 15},
	}
	counted, err := metrics.New(h.meters)
	require.NoError(h.t, err)
	vendors, read, err := cfg.Open(limits.Ports{
		Budget: budget.New(store.New(h.db.Pool, nil), budget.Speech, cfg.Limits(), h.clock), Metrics: counted, Log: testkit.Logger(h.t),
	})
	require.NoError(h.t, err)
	s.speech = vendors[openai.Name]
	s.recorder, err = narration.New(narration.Synthesisers{builtIn: &panickingSynthesiser{}}, codec, 2)
	require.NoError(h.t, err)
	require.NoError(h.t, s.recorder.Engage(read, narration.Synthesisers{openai.Name: s.speech}))
	return s
}

// made is a meditation that the member has asked Nova for.
func (s *studio) made(uid uuid.UUID) meditation.Meditation {
	s.h.t.Helper()
	p := s.h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Recorder = s.recorder })
	defer p.stop()
	r := request()
	r.AskedNarratorID = "nova"
	return s.h.ended(p, uid, s.h.ask(p, uid, r).ID)
}

func (s *studio) spent(uid uuid.UUID) int {
	return s.h.count(`SELECT coalesce(sum(microunits), 0) FROM outside_spend WHERE uid = $1 AND kind = 'speech'`, uid)
}

func TestAVendorSpeaksAMeditationAndItsCostIsTheMembers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	s := h.studio(1)
	uid := h.member(8)
	done := s.made(uid)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, "Nova", done.NarratorName)
	characters := 0
	for _, r := range s.vendor.Requests() {
		require.Equal(t, "nova", r.Body["voice"])
		characters += len(r.Body["input"].(string))
	}
	require.Equal(t, passages*(len(uuid.NewString())+len("Passage 0 is calm.")), characters)
	require.Equal(t, 15*characters, s.spent(uid))
	require.Equal(t, 15*characters, s.spent(uuid.Nil))
}

func TestAMemberWhoseBudgetIsSpentIsSpokenToByTheFallback(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	s := h.studio(0.005) // more than one meditation's price, and less than two
	uid := h.member(8)
	require.Equal(t, "Nova", s.made(uid).NarratorName)
	asked := len(s.vendor.Requests())
	second := s.made(uid)
	require.Equal(t, meditation.Ready, second.State)
	require.Equal(t, "Maren", second.NarratorName)
	require.Len(t, s.vendor.Requests(), asked)
	require.Equal(t, "Nova", s.made(h.member(8)).NarratorName, "another member has another budget")
	h.pass(24 * time.Hour)
	require.Equal(t, "Nova", s.made(uid).NarratorName, "and the next day is another day")
}

func TestAVendorThatIsAwayCostsAMemberNothingButWhatWasUnderWay(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	s := h.studio(1)
	s.vendor.Always(narratortest.Status(http.StatusServiceUnavailable, "60"))
	uid := h.member(8)
	done := s.made(uid)
	require.Equal(t, meditation.Ready, done.State)
	require.Equal(t, "Maren", done.NarratorName)
	require.LessOrEqual(t, s.spent(uid), 15*(len(uuid.NewString())+len("Passage 0 is calm.")), "two calls that were given up before their answers may be charged")
	for _, r := range s.vendor.Requests() {
		require.Equal(t, "nova", r.Body["voice"])
	}
}

// What is kept of one vendor's narrator is that narrator's alone.
func TestASentenceOfAnOutsideNarratorIsSpokenOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	s := h.studio(1)
	counted, err := metrics.New(h.meters)
	require.NoError(t, err)
	said := spoken.New(spoken.Ports{
		Synthesiser: s.speech, Blobs: h.blobs, Index: store.New(h.db.Pool, nil), Metrics: counted, Limit: 1 << 30, Now: h.clock, Log: testkit.Logger(t),
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- said.Run(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
	u := narration.Utterance{Text: "Rest here, for a while.", Voice: "nova", Common: true}
	first, err := said.Speak(t.Context(), u)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return h.count(`SELECT count(*) FROM spoken`) == 1 }, waitFor, 2*time.Millisecond)
	require.Eventually(t, func() bool {
		files, err := h.blobs.List(t.Context(), "spoken/")
		return err == nil && len(files) == 1
	}, waitFor, 2*time.Millisecond)
	again, err := said.Speak(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Len(t, s.vendor.Requests(), 1)
	u.Voice = "alloy"
	_, err = said.Speak(t.Context(), u)
	require.NoError(t, err)
	require.Len(t, s.vendor.Requests(), 2)
}
