package content

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// fake makes a few bytes at once. Its sounds are proved where they are made.
type fake struct{}

func (fake) Version() string { return "fake" }

func (fake) Window() (start, length time.Duration) { return 720 * time.Millisecond, 40 * time.Second }

func (fake) Synthesise(_ context.Context, id string) ([]byte, error) {
	return []byte("sound of " + id), nil
}

// slow makes nothing before it is told to.
type slow struct {
	fake
	begin chan struct{}
}

func (s slow) Synthesise(ctx context.Context, id string) ([]byte, error) {
	select {
	case <-s.begin:
		return s.fake.Synthesise(ctx, id)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// start runs the whole service and waits until it is ready.
func start(t *testing.T, made tracks.Synthesiser) (address string) {
	t.Helper()
	cfg := Config{
		Server: server.Config{Addr: "127.0.0.1:0"}, Auth: testkit.Auth(t, Name), BlobURL: config.URL("file://" + t.TempDir()),
	}
	s, err := service.Start(t.Context(), Name, cfg.shared(), handlers.Policy(), testkit.Telemetry(t))
	require.NoError(t, err)
	require.NoError(t, build(s, cfg, made))
	address, _ = testkit.Serve(t, s)
	require.Eventually(t, func() bool { return get(t, address+"/readyz", "", nil).StatusCode == http.StatusOK },
		time.Minute, 10*time.Millisecond)
	return address
}

// get asks as that service; "" proves nothing.
func get(t *testing.T, address, as string, header map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if as != "" {
		require.NoError(t, testkit.Dialer(t, as).Sign(req, Name))
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func catalogueOf(t *testing.T, address, as string) contentv1connect.CatalogueServiceClient {
	t.Helper()
	c, base, options := testkit.Dialer(t, as).To(Name, address)
	return contentv1connect.NewCatalogueServiceClient(c, base, options)
}

func TestTheCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	address := start(t, fake{})
	for _, as := range []string{"gateway", "generation"} {
		ctx, call := connect.NewClientContext(t.Context())
		res, err := catalogueOf(t, address, as).GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
		require.NoError(t, err)
		require.Len(t, res.GetTypes(), 11)
		require.Len(t, res.GetPractices(), 8)
		require.Len(t, res.GetSizes(), 3)
		require.Len(t, res.GetTracks(), 3)
		require.EqualValues(t, 362, res.GetSizes()[1].GetExpectedSeconds())
		require.Regexp(t, `^tracks/rain-[0-9a-f]{16}\.mp3$`, res.GetTracks()[2].GetPath())
		require.EqualValues(t, 720, res.GetTracks()[2].GetLoopStartMs())
		require.EqualValues(t, 40000, res.GetTracks()[2].GetLoopLengthMs())
		require.Contains(t, call.ResponseHeader().Get("Cache-Control"), "public, max-age=60")
		require.NotEmpty(t, call.ResponseHeader().Get("ETag"))
	}
}

func TestTheServiceIsReadyAndOffersItsTracksBeforeTheyAreMade(t *testing.T) {
	t.Parallel()
	made := slow{begin: make(chan struct{})}
	address := start(t, made)
	res, err := catalogueOf(t, address, "gateway").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.NoError(t, err)
	require.Len(t, res.GetTracks(), 3)
	close(made.begin)
	for _, track := range res.GetTracks() {
		answer := get(t, address+"/media/"+track.GetPath(), "gateway", nil)
		require.Equal(t, http.StatusOK, answer.StatusCode)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, "sound of "+track.GetId(), string(body))
	}
}

func TestAGetThatStillHoldsIsNotSentAgain(t *testing.T) {
	t.Parallel()
	address := start(t, fake{}) + contentv1connect.CatalogueServiceGetCatalogueProcedure +
		"?" + url.Values{"connect": {"v1"}, "encoding": {"json"}, "message": {"{}"}}.Encode()
	first := get(t, address, "gateway", nil)
	require.Equal(t, http.StatusOK, first.StatusCode)
	tag := first.Header.Get("Etag")
	require.NotEmpty(t, tag)

	again := get(t, address, "gateway", map[string]string{"If-None-Match": `"other", ` + tag})
	require.Equal(t, http.StatusNotModified, again.StatusCode)
	require.Equal(t, tag, again.Header.Get("Etag"))
	body, err := io.ReadAll(again.Body)
	require.NoError(t, err)
	require.Empty(t, body)

	changed := get(t, address, "gateway", map[string]string{"If-None-Match": `W/"0000"`})
	require.Equal(t, http.StatusOK, changed.StatusCode)
}

func TestOthersAreRefused(t *testing.T) {
	t.Parallel()
	address := start(t, fake{})
	_, err := catalogueOf(t, address, "mail").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
	_, err = contentv1connect.NewCatalogueServiceClient(http.DefaultClient, address).
		GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err))

	track := address + "/media/" + trackPath(t, address)
	require.Equal(t, http.StatusUnauthorized, get(t, track, "", nil).StatusCode)
	require.Equal(t, http.StatusForbidden, get(t, track, "generation", nil).StatusCode)
}

func TestEveryProcedureHasARule(t *testing.T) {
	t.Parallel()
	service := contentv1.File_serein_content_v1_content_proto.Services().ByName("CatalogueService")
	require.Empty(t, rpc.Missing(handlers.Policy(), service))
}

func trackPath(t *testing.T, address string) string {
	t.Helper()
	res, err := catalogueOf(t, address, "gateway").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.NoError(t, err)
	return res.GetTracks()[0].GetPath()
}

func TestTracksNeverChangeAndCanBeReadInParts(t *testing.T) {
	t.Parallel()
	address := start(t, fake{})
	track := address + "/media/" + trackPath(t, address)
	whole := get(t, track, "gateway", nil)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, "public, max-age=31536000, immutable", whole.Header.Get("Cache-Control"))
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	require.Equal(t, "bytes", whole.Header.Get("Accept-Ranges"))
	body, err := io.ReadAll(whole.Body)
	require.NoError(t, err)
	require.Equal(t, "sound of warm", string(body))

	part := get(t, track, "gateway", map[string]string{"Range": "bytes=9-"})
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	body, err = io.ReadAll(part.Body)
	require.NoError(t, err)
	require.Equal(t, "warm", string(body))

	kept := get(t, track, "gateway", map[string]string{"If-None-Match": whole.Header.Get("Etag")})
	require.Equal(t, http.StatusNotModified, kept.StatusCode)
}

func TestOtherNamesAreNotTracks(t *testing.T) {
	t.Parallel()
	address := start(t, fake{})
	for _, name := range []string{"rain.mp3", "rain-0000000000000000.mp3", "..%2Fnotes%2Frain.fake.json", "%00", "rain-0000000000000000.mp3%2f..", ""} {
		res := get(t, address+"/media/tracks/"+name, "gateway", nil)
		require.Equal(t, http.StatusNotFound, res.StatusCode, name)
	}
}

func TestTheHouseMakesARealTrack(t *testing.T) {
	t.Parallel()
	made := synthesiser{module: testkit.Part(t, "mp3.wasm"), cacheDir: t.TempDir()}
	require.Regexp(t, `^[a-z0-9]+$`, made.Version())
	sound, err := made.Synthesise(t.Context(), "rain")
	require.NoError(t, err)
	require.Equal(t, byte(0xff), sound[0], "a frame of MP3 begins the file")
	from, length := made.Window()
	require.LessOrEqual(t, length, time.Minute)
	require.Positive(t, from)
	_, err = made.Synthesise(t.Context(), "silence")
	require.Error(t, err)
}
