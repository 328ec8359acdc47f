package generation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/files"
	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

// house is what outlives a process: the database, the files, the other services and the narrator.
type house struct {
	t        testing.TB
	db       testkit.DB
	bank     *bank
	bankURL  string
	content  string
	blobDir  string
	blobs    blob.Store
	narrator *fakeNarrator
	broker   *bus.Bus

	mu  sync.Mutex
	now time.Time
}

func newHouse(tb testing.TB) *house {
	tb.Helper()
	h := &house{t: tb, db: testkit.Postgres(tb, Name, Migrate), bank: newBank(), narrator: &fakeNarrator{}, blobDir: tb.TempDir()}
	h.now = time.Now().UTC().Truncate(time.Microsecond)
	h.bankURL = serveRPC(tb, "billing", auth.Policy{
		billingv1connect.CreditServiceHoldProcedure:    {Services: []string{Name}, Member: true},
		billingv1connect.CreditServiceCaptureProcedure: {Services: []string{Name}, Member: true},
		billingv1connect.CreditServiceReleaseProcedure: {Services: []string{Name}, Member: true},
	}, func(s *rpc.Server) *httptest.Server {
		_, handler := billingv1connect.NewCreditServiceHandler(h.bank, s.Options()...)
		return httptest.NewServer(handler)
	})
	h.content = serveRPC(tb, "content", auth.Policy{
		contentv1connect.CatalogueServiceGetCatalogueProcedure: {Services: []string{Name}},
	}, func(s *rpc.Server) *httptest.Server {
		_, handler := contentv1connect.NewCatalogueServiceHandler(editor{}, s.Options()...)
		return httptest.NewServer(handler)
	})
	var err error
	h.blobs, err = blob.Open("file://" + h.blobDir)
	require.NoError(tb, err)
	// Nobody listens there: events wait in the outbox, where the tests look for them.
	h.broker, err = bus.Connect("nats://127.0.0.1:1", Name, testkit.Logger(tb))
	require.NoError(tb, err)
	tb.Cleanup(h.broker.Close)
	return h
}

func serveRPC(tb testing.TB, name string, policy auth.Policy, serve func(*rpc.Server) *httptest.Server) string {
	tb.Helper()
	guard, err := rpc.NewServer(testkit.Verifier(tb, name), policy, testkit.Telemetry(tb))
	require.NoError(tb, err)
	s := serve(guard)
	tb.Cleanup(s.Close)
	return s.URL
}

func (h *house) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *house) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// ports are those of a fresh process in this house.
func (h *house) ports(bell meditation.Bell) meditation.Ports {
	dialer := testkit.Dialer(h.t, Name)
	log := testkit.Logger(h.t)
	return meditation.Ports{
		Store:      store.New(h.db.Pool, outbox.New(h.db.Pool, h.broker, Name, log, time.Now)),
		Credits:    billing.New(billingv1connect.NewCreditServiceClient(dialer.To("billing", h.bankURL))),
		Catalogue:  content.New(contentv1connect.NewCatalogueServiceClient(dialer.To("content", h.content)), time.Now, log),
		Writer:     fakeWriter{},
		Narrator:   h.narrator,
		Blobs:      files.New(h.blobs),
		Bell:       bell,
		CheckTitle: func(title string) (string, error) { return title, nil },
		Now:        h.clock,
		NewID:      func() string { return uuid.Must(uuid.NewV7()).String() },
		Log:        log,
	}
}

// process is one running generation service, without its doors.
type process struct {
	*meditation.Service
	kill context.CancelFunc
	done chan struct{}
}

type option func(*meditation.Ports)

// start runs a process with as many narrators as asked for; 0 means that nobody works.
func (h *house) start(narrators int, lease time.Duration, options ...option) *process {
	ctx, cancel := context.WithCancel(context.Background())
	bell := store.NewBell(h.db.Pool.Config().ConnConfig, testkit.Logger(h.t))
	ports := h.ports(bell)
	for _, o := range options {
		o(&ports)
	}
	p := &process{Service: meditation.New(ports), kill: cancel, done: make(chan struct{})}
	var running sync.WaitGroup
	running.Go(func() { _ = bell.Run(ctx) })
	if narrators > 0 {
		worker := meditation.NewWorker(p.Service, narrators, lease)
		running.Go(func() { _ = worker.Run(ctx) })
	}
	go func() { running.Wait(); close(p.done) }()
	h.t.Cleanup(p.stop)
	return p
}

// stop ends the process as SIGTERM does.
func (p *process) stop() {
	p.kill()
	<-p.done
}

func request() meditation.Request {
	return meditation.Request{
		Title: "A quiet evening", TypeID: "better-sleep", PracticeID: "zen", SizeID: "minimed",
		Immersive: true, TrackID: "rain", Day: "2026-11-21", Key: uuid.NewString(),
	}
}

func (h *house) member(credits int64) string {
	uid := uuid.NewString()
	h.bank.grant(uid, credits)
	return uid
}

const waitFor = 20 * time.Second

// ended waits until the member's meditation has ended and billing knows.
func (h *house) ended(p *process, uid, id string) meditation.Meditation {
	h.t.Helper()
	var m meditation.Meditation
	require.Eventually(h.t, func() bool {
		var err error
		m, _, err = p.Get(h.t.Context(), uid, id)
		return err == nil && m.State.Ended() && m.Settled
	}, waitFor, 5*time.Millisecond)
	return m
}

// reaches waits for a state.
func (h *house) reaches(p *process, uid, id string, state meditation.State) meditation.Meditation {
	h.t.Helper()
	var m meditation.Meditation
	require.Eventually(h.t, func() bool {
		var err error
		m, _, err = p.Get(h.t.Context(), uid, id)
		return err == nil && m.State == state
	}, waitFor, 2*time.Millisecond, "state %s", state)
	return m
}

// lapse makes all leases lapse, as if their workers had been silent for long.
func (h *house) lapse() {
	h.exec(`UPDATE meditations SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`)
}

func (h *house) exec(sql string, args ...any) {
	h.t.Helper()
	_, err := h.db.Pool.Exec(h.t.Context(), sql, args...)
	require.NoError(h.t, err)
}

func (h *house) count(sql string, args ...any) int {
	h.t.Helper()
	var n int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), sql, args...).Scan(&n))
	return n
}

// events counts those in the outbox by the last but one word of their subject.
func (h *house) events() map[string]int {
	h.t.Helper()
	rows, err := h.db.Pool.Query(h.t.Context(), `SELECT split_part(subject, '.', 4), count(*) FROM outbox GROUP BY 1`)
	require.NoError(h.t, err)
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		require.NoError(h.t, rows.Scan(&name, &n))
		out[name] = n
	}
	require.NoError(h.t, rows.Err())
	return out
}

// bank is billing's truth, behind a real server.
type bank struct {
	mu      sync.Mutex
	credits map[string]int64
	byKey   map[string]*hold
	byID    map[string]*hold
	// before and after may refuse a call: before it has an effect, or after, with the answer lost.
	before, after    func(call string) error
	captures, spends int64
	asked            map[string]int
}

type hold struct {
	id, uid, state string
	amount         int64
}

var errAway = errs.New(errs.Unavailable, "UNAVAILABLE", "Away.")

func newBank() *bank {
	return &bank{credits: map[string]int64{}, byKey: map[string]*hold{}, byID: map[string]*hold{}, asked: map[string]int{}}
}

func (b *bank) grant(uid string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.credits[uid] += n
}

func (b *bank) fail(before, after func(string) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.before, b.after = before, after
}

// away refuses the named calls.
func away(calls ...string) func(string) error {
	return func(call string) error {
		for _, c := range calls {
			if c == call {
				return errAway
			}
		}
		return nil
	}
}

func (b *bank) do(call string, effect func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked[call]++
	if b.before != nil {
		if err := b.before(call); err != nil {
			return err
		}
	}
	err := effect()
	if b.after != nil && err == nil {
		return b.after(call)
	}
	return err
}

func (b *bank) Hold(_ context.Context, r *billingv1.HoldRequest) (*billingv1.HoldResponse, error) {
	res := &billingv1.HoldResponse{}
	return res, b.do("hold", func() error {
		found, ok := b.byKey[r.GetIdempotencyKey()]
		if !ok {
			if b.credits[r.GetUid()] < r.GetAmount() {
				return errs.New(errs.FailedPrecondition, "INSUFFICIENT_CREDITS", "You have run out of meditation credits.")
			}
			b.credits[r.GetUid()] -= r.GetAmount()
			found = &hold{id: uuid.NewString(), uid: r.GetUid(), amount: r.GetAmount(), state: "open"}
			b.byKey[r.GetIdempotencyKey()], b.byID[found.id] = found, found
		}
		res.Hold = &billingv1.CreditHold{Id: found.id, PlanCredits: found.amount}
		return nil
	})
}

func (b *bank) Capture(_ context.Context, r *billingv1.CaptureRequest) (*billingv1.CaptureResponse, error) {
	return &billingv1.CaptureResponse{}, b.do("capture", func() error {
		found, ok := b.byID[r.GetHoldId()]
		switch {
		case !ok:
			return meditation.ErrHoldNotFound
		case found.state == "released":
			return meditation.ErrHoldReleased
		case found.state == "expired":
			return meditation.ErrHoldExpired
		case found.state == "open":
			found.state = "captured"
			b.captures++
			b.spends += found.amount
		}
		return nil
	})
}

func (b *bank) Release(_ context.Context, r *billingv1.ReleaseRequest) (*billingv1.ReleaseResponse, error) {
	return &billingv1.ReleaseResponse{}, b.do("release", func() error {
		found, ok := b.byID[r.GetHoldId()]
		switch {
		case !ok:
			return meditation.ErrHoldNotFound
		case found.state == "captured":
			return meditation.ErrHoldCaptured
		case found.state == "open":
			found.state = "released"
			b.credits[found.uid] += found.amount
		}
		return nil
	})
}

// expire ends all open holds, as their time would.
func (b *bank) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.byID {
		if h.state == "open" {
			h.state = "expired"
			b.credits[h.uid] += h.amount
		}
	}
}

// holds counts them by state.
func (b *bank) holds() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string]int{}
	for _, h := range b.byID {
		out[h.state]++
	}
	return out
}

func (b *bank) available(uid string) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.credits[uid]
}

func (b *bank) calls(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked[name]
}

// editor answers a small catalogue.
type editor struct{}

func (editor) GetCatalogue(context.Context, *contentv1.GetCatalogueRequest) (*contentv1.GetCatalogueResponse, error) {
	return &contentv1.GetCatalogueResponse{
		Types: []*contentv1.MeditationType{
			{Id: "better-sleep", Narrator: &contentv1.Narrator{Id: "isla", Name: "Isla"}, Affirmations: []string{
				"The day is done, and I may let it go.", "Nothing is asked of me tonight.", "Sleep knows the way to me.",
			}},
			{Id: "mindfulness"},
		},
		Practices: []*contentv1.PracticeType{{Id: "zen"}, {Id: "yogic"}},
		Sizes: []*contentv1.MeditationSize{
			{Id: "minimed", MinWords: 350, MaxWords: 380, Breaks: 17, PauseSeconds: 40, ExpectedSeconds: 220},
			{Id: "timeout", MinWords: 900, MaxWords: 950, Breaks: 28, PauseSeconds: 90, ExpectedSeconds: 570},
		},
		Tracks: []*contentv1.AmbientTrack{{Id: "rain"}, {Id: "ocean"}},
	}, nil
}

// fakeWriter writes four passages that name their meditation.
type fakeWriter struct{}

const passages = 4

func (fakeWriter) Write(_ context.Context, m meditation.Meditation) (meditation.Script, error) {
	s := meditation.Script{}
	for i := range passages {
		p := meditation.Passage{Sentences: []string{m.ID, fmt.Sprintf("Passage %d is calm.", i)}, Pause: 2 * time.Second}
		s.Words += 5
		s.Passages = append(s.Passages, p)
	}
	return s, nil
}

// fakeNarrator is fast, says what it was asked, and can be held back or made to fail.
type fakeNarrator struct {
	mu sync.Mutex
	// before is called before each piece.
	before func(ctx context.Context, id string, index int) error
	// from lists where each narration of a meditation began.
	from map[string][]int
}

func (*fakeNarrator) Voice(id string, immersive bool) meditation.Voice {
	for voice, name := range map[string]string{"maren": "Maren", "isla": "Isla"} {
		if voice == id {
			return meditation.Voice{ID: voice, Name: name, WordsPerMinute: 120}
		}
	}
	if immersive {
		return meditation.Voice{ID: "isla", Name: "Isla", WordsPerMinute: 120}
	}
	return meditation.Voice{ID: "maren", Name: "Maren", WordsPerMinute: 120}
}

func (*fakeNarrator) Count(s meditation.Script) int { return len(s.Passages) }

func (n *fakeNarrator) hook(before func(ctx context.Context, id string, index int) error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.before = before
}

func (n *fakeNarrator) note(id string, from int) func(context.Context, string, int) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.from == nil {
		n.from = map[string][]int{}
	}
	if from >= 0 {
		n.from[id] = append(n.from[id], from)
	}
	return n.before
}

func (n *fakeNarrator) began(id string) []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]int(nil), n.from[id]...)
}

const pieceTime = 5 * time.Second

func (n *fakeNarrator) Narrate(ctx context.Context, _ string, s meditation.Script, from int, startAt time.Duration, emit func(meditation.Piece) error) error {
	id := s.Passages[0].Sentences[0]
	n.note(id, from)
	if startAt != time.Duration(from)*pieceTime {
		return errors.New("the narration does not begin where the last piece ended")
	}
	for i := from; i < len(s.Passages); i++ {
		if before := n.note(id, -1); before != nil {
			if err := before(ctx, id, i); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(piece(id, i)); err != nil {
			return err
		}
	}
	return nil
}

func piece(id string, i int) meditation.Piece {
	start := time.Duration(i) * pieceTime
	return meditation.Piece{
		Index: i, MP3: sound(id, i), Start: start, Duration: pieceTime, Silence: 2 * time.Second,
		Lines: []meditation.Line{{Text: fmt.Sprintf("Passage %d is calm.", i), Start: start, End: start + 3*time.Second}},
	}
}

// sound is what piece i of a meditation sounds like: different bytes, different lengths.
func sound(id string, i int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%s/%d.", id, i), 20+i)
}

func recording(id string) []byte {
	var out []byte
	for i := range passages {
		out = append(out, sound(id, i)...)
	}
	return out
}

// audio is the whole recording.
func (h *house) audio(p *process, uid, id string) []byte {
	h.t.Helper()
	_, file, err := p.OpenAudio(h.t.Context(), uid, id)
	require.NoError(h.t, err)
	data, err := io.ReadAll(file)
	require.NoError(h.t, errors.Join(err, file.Close()))
	return data
}
