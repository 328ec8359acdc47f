package generation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/meditation"
	handlers "serein.app/services/generation/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// config of a whole service.
func (h *harness) config() Config {
	return Config{
		Config: service.Config{
			Server:   server.Config{Addr: "127.0.0.1:0"},
			Database: postgres.Config{URL: config.URL(h.db.URL), MaxConns: 8},
			Auth:     testkit.Auth(h.t, Name),
			NATSURL:  "nats://127.0.0.1:1",
		},
		BillingURL: h.billingURL, ContentURL: h.contentURL, BlobURL: config.URL("file://" + h.blobDir),
		RecorderWorkers: 1, Lease: 15 * time.Second,
	}
}

// service runs the whole service; it gives its address, and a function that stops it in order.
func (h *harness) service(r recorder) (url string, stop func()) {
	h.t.Helper()
	return h.serve(h.config(), r)
}

func (h *harness) serve(cfg Config, r recorder) (url string, stop func()) {
	h.t.Helper()
	started, err := service.Start(h.t.Context(), Name, cfg.Config, handlers.Policy(), testkit.Telemetry(h.t))
	require.NoError(h.t, err)
	require.NoError(h.t, build(started, cfg, r))
	return testkit.Serve(h.t, started)
}

func (h *harness) fakes() recorder {
	return recorder{
		checkTitle: func(title string) (string, error) { return title, nil },
		writer:     fakeWriter{}, recorder: h.recorder,
	}
}

func client(tb testing.TB, service, url string) generationv1connect.MeditationServiceClient {
	tb.Helper()
	return generationv1connect.NewMeditationServiceClient(testkit.Dialer(tb, service).To(Name, url))
}

func createRequest() *generationv1.CreateMeditationRequest {
	return &generationv1.CreateMeditationRequest{
		Title: "A quiet evening", TypeId: "better-sleep", PracticeId: "zen", SizeId: "minimed", Immersive: true,
		TrackId: "rain", IdempotencyKey: uuid.NewString(), LocalDate: "2026-11-21",
	}
}

// hear fetches sound as a service, for a member.
func hear(tb testing.TB, service, member, url string, header http.Header) *http.Response {
	tb.Helper()
	dialer := testkit.Dialer(tb, service)
	req, err := http.NewRequestWithContext(auth.WithMember(tb.Context(), member), http.MethodGet, url, nil)
	require.NoError(tb, err)
	for name, values := range header {
		req.Header[name] = values
	}
	require.NoError(tb, dialer.Sign(req, Name))
	res, err := dialer.HTTP().Do(req)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func body(tb testing.TB, res *http.Response) []byte {
	tb.Helper()
	data, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	return data
}

func TestEveryProcedureHasARule(t *testing.T) {
	t.Parallel()
	require.Empty(t, rpc.Missing(handlers.Policy(),
		generationv1.File_serein_generation_v1_generation_proto.Services().ByName("MeditationService"),
		generationv1.File_serein_generation_v1_generation_proto.Services().ByName("GroundingService"),
		generationv1.File_serein_generation_v1_generation_proto.Services().ByName("SampleService"),
		generationv1.File_serein_generation_v1_sharing_proto.Services().ByName("ShareService"),
		generationv1.File_serein_generation_v1_narration_proto.Services().ByName("NarrationService")))
	for procedure, rule := range handlers.Policy() {
		if strings.HasPrefix(procedure, "/"+generationv1connect.NarrationServiceName+"/") {
			require.Equal(t, auth.Rule{Services: []string{"content"}}, rule, procedure)
			continue
		}
		callers := []string{"gateway"}
		if procedure == generationv1connect.MeditationServiceGetMeditationProcedure || procedure == generationv1connect.MeditationServiceListMeditationsProcedure {
			callers = []string{"gateway", "content"}
		}
		require.Equal(t, callers, rule.Services, procedure)
		forEverybody := procedure == generationv1connect.GroundingServiceGetGroundingProcedure ||
			procedure == generationv1connect.SampleServiceGetSampleProcedure ||
			procedure == generationv1connect.SampleServiceListNarratorsProcedure ||
			procedure == generationv1connect.ShareServiceOpenShareProcedure ||
			procedure == generationv1connect.MeditationServiceCheckTitleProcedure
		require.Equal(t, !forEverybody, rule.Member, procedure)
		require.Empty(t, rule.Scope, procedure)
	}
}

func TestAnActorReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		generationv1connect.MeditationServiceBatchGetMeditationsProcedure,
		generationv1connect.MeditationServiceGetMeditationProcedure, generationv1connect.MeditationServiceListMeditationsProcedure,
	}, testkit.Delegated(handlers.Policy()))
}

func TestOnlyTheGatewayWithAMemberIsAnswered(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	member := auth.WithMember(t.Context(), h.member(8).String())
	for name, c := range map[string]struct {
		ctx     context.Context
		service string
		want    errs.Kind
		status  int
	}{
		"another service":                {member, "mail", errs.Forbidden, http.StatusForbidden},
		"the gateway without a member":   {t.Context(), "gateway", errs.Unauthenticated, http.StatusUnauthorized},
		"the gateway, for a member: not": {member, "gateway", errs.Internal, http.StatusNotFound},
	} {
		c0 := client(t, c.service, url)
		_, create := c0.CreateMeditation(c.ctx, createRequest())
		_, get := c0.GetMeditation(c.ctx, &generationv1.GetMeditationRequest{Id: uuid.NewString()})
		_, list := c0.ListMeditations(c.ctx, &generationv1.ListMeditationsRequest{})
		_, cancel := c0.CancelMeditation(c.ctx, &generationv1.CancelMeditationRequest{Id: uuid.NewString()})
		if c.want != errs.Internal {
			for _, err := range []error{create, get, list, cancel} {
				require.Equal(t, c.want, errs.KindOf(err), name)
			}
		}
		for _, path := range []string{"/audio", "/segments/0"} {
			res := hear(t, c.service, auth.Member(c.ctx), url+"/v1/meditations/"+uuid.NewString()+path, nil)
			require.Equal(t, c.status, res.StatusCode, name+path)
			require.Empty(t, body(t, res))
		}
	}
	inStead := auth.WithSubject(t.Context(), auth.Subject{UID: auth.Member(member), Actor: "reports"})
	_, err := client(t, "gateway", url).ListMeditations(inStead, &generationv1.ListMeditationsRequest{})
	require.NoError(t, err)
	_, err = client(t, "gateway", url).CreateMeditation(inStead, createRequest())
	require.ErrorIs(t, err, auth.ErrForbidden, "who reads in a member's stead makes nothing")
	res, err := http.Get(url + "/v1/meditations/" + uuid.NewString() + "/audio")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusUnauthorized, res.StatusCode)
}

func TestAMemberGeneratesFollowsAndListensOverTheWire(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(2)
	h.recorder.hook(g.before)
	url, _ := h.service(h.fakes())
	c := client(t, "gateway", url)
	uid, other := h.member(8).String(), h.member(8).String()
	ctx := auth.WithMember(t.Context(), uid)

	created, err := c.CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	require.Equal(t, generationv1.Stage_STAGE_LISTENING, created.GetMeditation().GetStage())
	sounds := url + "/v1/meditations/" + id

	stream, err := c.WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id})
	require.NoError(t, err)
	got := 0
	for got < 2 && stream.Receive() {
		got += len(stream.Msg().GetNewSegments())
	}
	require.NoError(t, stream.Err())

	t.Log("the first passages can be heard while the rest is narrated; the whole cannot")
	res := hear(t, "gateway", uid, sounds+"/segments/1", nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, sound(id, 1), body(t, res))
	require.Equal(t, http.StatusNotFound, hear(t, "gateway", uid, sounds+"/segments/2", nil).StatusCode)
	require.Equal(t, http.StatusNotFound, hear(t, "gateway", uid, sounds+"/audio", nil).StatusCode)
	close(g.open)
	var last *generationv1.WatchMeditationResponse
	for stream.Receive() {
		last = stream.Msg()
		got += len(last.GetNewSegments())
	}
	require.NoError(t, stream.Err())
	require.Equal(t, passages, got)
	require.Equal(t, generationv1.Stage_STAGE_READY, last.GetMeditation().GetStage())
	require.Equal(t, (passages * segmentTime).Milliseconds(), last.GetMeditation().GetExpectedMs())
	require.Equal(t, last.GetMeditation().GetTitle()+", a day later", last.GetMeditation().GetTomorrowTitle())

	t.Log("ranges, types and caches of the whole")
	whole := wholeSound(id)
	res = hear(t, "gateway", uid, sounds+"/audio", nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, "audio/mpeg", res.Header.Get("Content-Type"))
	require.Equal(t, "private, no-cache", res.Header.Get("Cache-Control"))
	require.Equal(t, "bytes", res.Header.Get("Accept-Ranges"))
	require.Equal(t, whole, body(t, res))
	tag := res.Header.Get("ETag")
	res = hear(t, "gateway", uid, sounds+"/audio", http.Header{"Range": {"bytes=10-19"}})
	require.Equal(t, http.StatusPartialContent, res.StatusCode)
	require.Equal(t, fmt.Sprintf("bytes 10-19/%d", len(whole)), res.Header.Get("Content-Range"))
	require.Equal(t, whole[10:20], body(t, res))
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable,
		hear(t, "gateway", uid, sounds+"/audio", http.Header{"Range": {fmt.Sprintf("bytes=%d-", len(whole))}}).StatusCode)
	require.Equal(t, http.StatusNotModified,
		hear(t, "gateway", uid, sounds+"/audio", http.Header{"If-None-Match": {tag}}).StatusCode)

	t.Log("segments stay, now cut from the whole file")
	for i := range passages {
		res = hear(t, "gateway", uid, fmt.Sprintf("%s/segments/%d", sounds, i), nil)
		require.Equal(t, sound(id, i), body(t, res))
		require.Equal(t, "private, no-cache", res.Header.Get("Cache-Control"))
	}

	t.Log("what does not exist, and what is another member's, is the same 404")
	for _, path := range []string{"/segments/4", "/segments/-1", "/segments/99999999999", "/segments/x", "/segments/0/"} {
		require.Equal(t, http.StatusNotFound, hear(t, "gateway", uid, sounds+path, nil).StatusCode, path)
	}
	for _, path := range []string{"/audio", "/segments/0"} {
		require.Equal(t, http.StatusNotFound, hear(t, "gateway", other, sounds+path, nil).StatusCode, path)
	}

	t.Log("the transcript and the list")
	got1, err := c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
	require.NoError(t, err)
	require.Len(t, got1.GetSegments(), passages)
	require.Equal(t, "Passage 3 is calm.", got1.GetSegments()[3].GetLines()[0].GetText())
	require.Equal(t, int64(15000), got1.GetSegments()[3].GetStartMs())
	require.Equal(t, int64(2000), got1.GetSegments()[3].GetSilenceMs())
	list, err := c.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: 1})
	require.NoError(t, err)
	require.Equal(t, int32(1), list.GetTotal())
	require.Equal(t, id, list.GetMeditations()[0].GetId())
	require.Empty(t, list.GetNextPageToken())

	_, err = c.GetMeditation(auth.WithMember(t.Context(), other), &generationv1.GetMeditationRequest{Id: id})
	require.ErrorIs(t, err, meditation.ErrNotFound)
	for _, none := range []string{"nothing", "", "../../etc/passwd", "' OR 1=1 --", "{" + id + "}"} {
		_, err = c.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: none})
		require.ErrorIs(t, err, meditation.ErrNotFound, none)
		_, err = c.CancelMeditation(ctx, &generationv1.CancelMeditationRequest{Id: none})
		require.ErrorIs(t, err, meditation.ErrNotFound, none)
	}
	require.Equal(t, http.StatusNotFound, hear(t, "gateway", uid, strings.Replace(sounds, id, "nothing", 1)+"/audio", nil).StatusCode)
}

func TestBadFieldsAreRefusedByTheContract(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	c := client(t, "gateway", url)
	ctx := auth.WithMember(t.Context(), h.member(8).String())
	for name, change := range map[string]func(*generationv1.CreateMeditationRequest){
		"idempotency_key": func(r *generationv1.CreateMeditationRequest) { r.IdempotencyKey = "again" },
		"local_date":      func(r *generationv1.CreateMeditationRequest) { r.LocalDate = "today" },
		"title":           func(r *generationv1.CreateMeditationRequest) { r.Title = string(bytes.Repeat([]byte("x"), 5000)) },
		"narrator_id":     func(r *generationv1.CreateMeditationRequest) { r.NarratorId = "nobody" },
		"language":        func(r *generationv1.CreateMeditationRequest) { r.Language = "fr" },
		"type_id":         func(r *generationv1.CreateMeditationRequest) { r.TypeId = string(bytes.Repeat([]byte("x"), 65)) },
	} {
		r := createRequest()
		change(r)
		_, err := c.CreateMeditation(ctx, r)
		require.Equal(t, errs.Invalid, errs.KindOf(err), name)
		require.Equal(t, name, errs.From(err).Field)
	}
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
}

func TestAStreamEndsWhenTheServiceStopsAndTheWorkGoesOnAtTheNextStart(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	url, stop := h.service(h.fakes())
	uid := h.member(8).String()
	ctx := auth.WithMember(t.Context(), uid)
	created, err := client(t, "gateway", url).CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	stream, err := client(t, "gateway", url).WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id})
	require.NoError(t, err)
	require.True(t, stream.Receive())
	<-g.arrived
	stop()
	for stream.Receive() {
	}
	require.Equal(t, connect.CodeUnavailable, connect.CodeOf(stream.Err()))

	h.recorder.hook(nil)
	url, _ = h.service(h.fakes())
	stream, err = client(t, "gateway", url).WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id, FromSegment: 1})
	require.NoError(t, err)
	next := int32(1)
	var last *generationv1.Meditation
	for stream.Receive() {
		for _, s := range stream.Msg().GetNewSegments() {
			require.Equal(t, next, s.GetIndex())
			next++
		}
		last = stream.Msg().GetMeditation()
	}
	require.NoError(t, stream.Err())
	require.Equal(t, generationv1.Stage_STAGE_READY, last.GetStage())
	require.Equal(t, []int{0, 1}, h.recorder.began(id))
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}

func TestTheSweepRunsByItself(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	ctx := auth.WithMember(t.Context(), h.member(8).String())
	h.billing.fail(nil, away("hold"))
	_, err := client(t, "gateway", url).CreateMeditation(ctx, createRequest())
	require.ErrorIs(t, err, meditation.ErrBillingAway)
	h.billing.fail(nil, nil)
	h.exec(`UPDATE meditations SET created_at = created_at - interval '2 minutes'`)
	require.Eventually(t, func() bool {
		return h.billing.holds()["released"] == 1 && h.count(`SELECT count(*) FROM meditations`) == 0
	}, waitFor, 20*time.Millisecond)
}

func TestWhatDeadProcessesLeftOnTheDiskIsRemovedByItself(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	left := filepath.Join(h.blobDir, "meditations", "one")
	require.NoError(t, os.MkdirAll(left, 0o700))
	long := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(left, long, long))
	h.service(h.fakes())
	require.Eventually(t, func() bool {
		_, err := os.Stat(left)
		return os.IsNotExist(err)
	}, waitFor, 10*time.Millisecond)
}

// TestTheDefaultWriterAndRecorderMakeAMeditation runs everything real but billing and content.
func TestTheDefaultWriterAndRecorderMakeAMeditation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	cfg := h.config()
	cfg.FliteWasm, cfg.LameWasm = testkit.Part(t, "flite.wasm"), testkit.Part(t, "mp3.wasm")
	cfg.WasmCacheDir = filepath.Join(os.TempDir(), "serein-test-wasm")
	cfg.RecorderWorkers, cfg.SpokenBytes = runtime.GOMAXPROCS(0), 1<<30
	s, err := openRecorder(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close(context.WithoutCancel(t.Context()))) })
	url, _ := h.serve(cfg, s)
	c := client(t, "gateway", url)
	uid := h.member(8).String()
	ctx := auth.WithMember(t.Context(), uid)

	profane := createRequest()
	profane.Title = "   "
	_, err = c.CreateMeditation(ctx, profane)
	require.Equal(t, "TITLE_REQUIRED", errs.From(err).Word())
	crisis := createRequest()
	crisis.Title = "I dont want to live any more"
	_, err = c.CreateMeditation(ctx, crisis)
	require.Equal(t, "TITLE_NEEDS_CARE", errs.From(err).Word())
	require.Zero(t, h.billing.calls("hold"))

	heard := groundingOf(t, url)
	require.InDelta(t, 110, float64(heard.GetDurationMs())/1000, 20, "one and a half to two minutes")
	require.InDelta(t, heard.GetDurationMs()*8, len(body(t, hear(t, "gateway", "", url+"/media/"+heard.GetPath(), nil))), 400)

	began := time.Now()
	created, err := c.CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	stream, err := c.WatchMeditation(ctx, &generationv1.WatchMeditationRequest{Id: id})
	require.NoError(t, err)
	var first time.Duration
	var expected []int64
	var last *generationv1.Meditation
	for stream.Receive() {
		last = stream.Msg().GetMeditation()
		if len(stream.Msg().GetNewSegments()) > 0 && first == 0 {
			first = time.Since(began)
		}
		if last.GetWords() > 0 {
			expected = append(expected, last.GetExpectedMs())
		}
	}
	require.NoError(t, stream.Err())
	require.Equal(t, generationv1.Stage_STAGE_READY, last.GetStage(), last.GetFailureReason())
	t.Logf("first audio after %v, all %d ms after %v; expected %v", first, last.GetReadyMs(), time.Since(began), expected)
	require.InDelta(t, expected[len(expected)-1], expected[0], float64(expected[len(expected)-1])/5, "the first guess is near")
	require.GreaterOrEqual(t, last.GetWords(), int32(350))
	require.LessOrEqual(t, last.GetWords(), int32(380))

	res := hear(t, "gateway", uid, url+"/v1/meditations/"+id+"/audio", nil)
	whole := body(t, res)
	var joined []byte
	for i := range last.GetPassagesTotal() {
		joined = append(joined, body(t, hear(t, "gateway", uid, fmt.Sprintf("%s/v1/meditations/%s/segments/%d", url, id, i), nil))...)
	}
	require.Equal(t, whole, joined, "the passages joined are the recording")
	// 64 kbit/s are 8 bytes a millisecond.
	require.InDelta(t, last.GetReadyMs()*8, len(whole), 400)

	require.Eventually(t, func() bool {
		files, err := h.blobs.List(t.Context(), "spoken/")
		return err == nil && len(files) > 20
	}, waitFor, 10*time.Millisecond, "its sentences are kept for others")
	require.Greater(t, h.count(`SELECT count(*) FROM spoken`), 20)
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	url, _ := h.service(h.fakes())
	testkit.RequireInternal(t, url, handlers.Policy())
}
