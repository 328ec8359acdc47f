package content

import (
	"io"
	"net/http"
	"net/url"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/structpb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

func TestTheCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	for _, as := range []string{"gateway", "generation"} {
		ctx, call := connect.NewClientContext(t.Context())
		res, err := h.catalogue(as).GetCatalogue(ctx, &contentv1.GetCatalogueRequest{})
		require.NoError(t, err)
		require.Len(t, res.GetTypes(), 11)
		require.Equal(t, "Isla", res.GetImmersiveNarrator().GetName())
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
	made := slowSynthesiser{begin: make(chan struct{})}
	h := start(t, made)
	res, err := h.catalogue("gateway").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.NoError(t, err)
	require.Len(t, res.GetTracks(), 3)
	close(made.begin)
	for _, track := range res.GetTracks() {
		answer := h.get("/media/"+track.GetPath(), "gateway", nil)
		require.Equal(t, http.StatusOK, answer.StatusCode)
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, "sound of "+track.GetId(), string(body))
	}
}

func TestAGetThatStillHoldsIsNotSentAgain(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	path := contentv1connect.CatalogueServiceGetCatalogueProcedure +
		"?" + url.Values{"connect": {"v1"}, "encoding": {"json"}, "message": {"{}"}}.Encode()
	first := h.get(path, "gateway", nil)
	require.Equal(t, http.StatusOK, first.StatusCode)
	tag := first.Header.Get("Etag")
	require.NotEmpty(t, tag)

	again := h.get(path, "gateway", map[string]string{"If-None-Match": `"other", ` + tag})
	require.Equal(t, http.StatusNotModified, again.StatusCode)
	require.Equal(t, tag, again.Header.Get("Etag"))
	body, err := io.ReadAll(again.Body)
	require.NoError(t, err)
	require.Empty(t, body)

	changed := h.get(path, "gateway", map[string]string{"If-None-Match": `W/"0000"`})
	require.Equal(t, http.StatusOK, changed.StatusCode)
}

func TestOthersAreRefused(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	_, err := h.catalogue("mail").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.Equal(t, errs.Forbidden, errs.KindOf(err))
	_, err = contentv1connect.NewCatalogueServiceClient(http.DefaultClient, h.address).
		GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.Equal(t, connect.CodeUnauthenticated, connect.CodeOf(err))

	track := h.trackPath()
	require.Equal(t, http.StatusUnauthorized, h.get(track, "", nil).StatusCode)
	require.Equal(t, http.StatusForbidden, h.get(track, "generation", nil).StatusCode)
}

func TestEveryProcedureHasARule(t *testing.T) {
	t.Parallel()
	require.Empty(t, rpc.Missing(handlers.Policy(),
		contentv1.File_serein_content_v1_content_proto.Services().ByName("CatalogueService"),
		contentv1.File_serein_content_v1_search_proto.Services().ByName("SearchService")))
}

// Answers that are the same for every member need no member in the call.
func TestOnlyListKeptAndBatchGetBespokeActForAMember(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, []string{contentv1connect.ItemServiceBatchGetBespokeProcedure, contentv1connect.ItemServiceListKeptProcedure},
		testkit.Delegated(handlers.Policy()))
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	testkit.RequireInternal(t, start(t, fakeSynthesiser{}).address, handlers.Policy())
}

func TestEditorsSayWhichSoundsThereAre(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	publish := func(key *contentv1.ItemKey) {
		_, err := m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: key, Version: 1, Step: contentv1.Step_STEP_PUBLISH})
		require.NoError(t, err)
	}
	_, err := m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "bells", FileName: "bells.mp3", Content: append([]byte("\xff\xfb\x90\x64"), make([]byte, 413)...)})
	require.NoError(t, err)
	publish(&contentv1.ItemKey{Asset: true, Id: "bells"})
	file := map[string]any{"sys": map[string]any{"type": "Link", "linkType": "Asset", "id": "bells"}}
	for id, of := range map[string]map[string]any{
		"night-rain": {"order": 0, "name": "Night rain", "sound": "rain"}, "far-bells": {"order": 50, "name": "Far bells", "file": file},
		"nothing": {"order": 1, "name": "Nothing", "sound": "silence"},
	} {
		fields := map[string]any{}
		for field, value := range of {
			fields[field] = map[string]any{"en-GB": value}
		}
		given, err := structpb.NewStruct(fields)
		require.NoError(t, err)
		_, err = m.CreateItem(ctx, &contentv1.CreateItemRequest{Key: entryKey(id), ContentType: "immersiveTrack", Fields: given})
		require.NoError(t, err)
		publish(entryKey(id))
	}
	res, err := h.catalogue("generation").GetCatalogue(t.Context(), &contentv1.GetCatalogueRequest{})
	require.NoError(t, err)
	var names []string
	for _, track := range res.GetTracks() {
		names = append(names, track.GetName())
	}
	require.Equal(t, []string{"Night rain", "Warm", "Ocean", "Rain", "Far bells"}, names)
	require.Regexp(t, `^tracks/rain-`, res.GetTracks()[0].GetPath())
	bells := res.GetTracks()[4]
	require.Regexp(t, `^assets/[0-9a-f]{64}/bells\.mp3$`, bells.GetPath())
	require.Zero(t, bells.GetLoopLengthMs(), "all of the file")
	require.Equal(t, http.StatusOK, h.get("/media/"+bells.GetPath(), "gateway", nil).StatusCode)
}

// An editor's new price is charged soon, so caches may keep the shop only briefly.
func TestCachesKeepTheShopForHalfAMinute(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	c, url, options := testkit.Dialer(t, "basket").To(Name, h.address)
	ctx, call := connect.NewClientContext(t.Context())
	_, err := contentv1connect.NewShopServiceClient(c, url, options).GetShop(ctx, &contentv1.GetShopRequest{})
	require.NoError(t, err)
	require.Equal(t, "public, max-age=30", call.ResponseHeader().Get("Cache-Control"))
	require.NotEmpty(t, call.ResponseHeader().Get("ETag"))
}
