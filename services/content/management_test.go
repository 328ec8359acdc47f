package content

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/structpb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	handlers "serein.app/services/content/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

const adminUID = "0192f0c1-0000-7000-8000-00000000000a"

// admin is a context of calls that an admin makes.
func admin(t *testing.T) context.Context {
	t.Helper()
	return auth.WithSubject(t.Context(), auth.Subject{UID: adminUID, Admin: true})
}

// management is a client of the gateway's.
func (h *harness) management() contentv1connect.ManagementServiceClient {
	h.t.Helper()
	c, base, options := testkit.Dialer(h.t, "gateway").To(Name, h.address)
	return contentv1connect.NewManagementServiceClient(c, base, options)
}

func entryKey(id string) *contentv1.ItemKey { return &contentv1.ItemKey{Id: id} }

// pageFields are those of a page.
func pageFields(t *testing.T, title, body string) *structpb.Struct {
	t.Helper()
	fields, err := structpb.NewStruct(map[string]any{
		"title": map[string]any{"en-GB": title}, "description": map[string]any{"en-GB": "What it is"}, "body": map[string]any{"en-GB": body},
	})
	require.NoError(t, err)
	return fields
}

func reason(err error) errorsv1.Reason {
	if err == nil {
		return errorsv1.Reason_REASON_UNSPECIFIED
	}
	return errs.From(err).Reason
}

func TestAnEditorTakesAnItemFromDraftToReadersAndBackThroughItsTrail(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)

	request := &contentv1.CreateItemRequest{Key: entryKey("colophon"), ContentType: "page", Fields: pageFields(t, "Colophon", "Set in <script>x()</script>two faces.")}
	made, err := m.CreateItem(ctx, request)
	require.NoError(t, err)
	require.Equal(t, "Colophon", made.GetItem().GetTitle())
	require.Equal(t, "Set in two faces.", made.GetItem().GetFields().AsMap()["body"].(map[string]any)["en-GB"], "no markup is kept") //nolint:forcetypeassert // a test
	again, err := m.CreateItem(ctx, request)
	require.NoError(t, err, "the same request makes one item")
	require.Equal(t, made.GetItem().GetVersion(), again.GetItem().GetVersion())
	request.Fields = pageFields(t, "Another", "")
	_, err = m.CreateItem(ctx, request)
	require.Equal(t, errorsv1.Reason_REASON_ITEM_EXISTS, reason(err))

	published, err := m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey("colophon"), Version: 1, Step: contentv1.Step_STEP_PUBLISH})
	require.NoError(t, err)
	require.EqualValues(t, 1, published.GetItem().GetPublishedVersion())
	changed, err := m.UpdateItem(ctx, &contentv1.UpdateItemRequest{Key: entryKey("colophon"), Version: 2, Fields: pageFields(t, "Colophon, again", "Three faces.")})
	require.NoError(t, err)
	require.EqualValues(t, 3, changed.GetItem().GetVersion())
	_, err = m.UpdateItem(ctx, &contentv1.UpdateItemRequest{Key: entryKey("colophon"), Version: 2, Fields: pageFields(t, "Late", "")})
	require.Equal(t, errorsv1.Reason_REASON_VERSION_MISMATCH, reason(err))
	restored, err := m.RestoreRevision(ctx, &contentv1.RestoreRevisionRequest{Key: entryKey("colophon"), Version: 3, Revision: 1})
	require.NoError(t, err)
	require.Equal(t, "Colophon", restored.GetItem().GetTitle())

	trail, err := m.ListRevisions(ctx, &contentv1.ListRevisionsRequest{Key: entryKey("colophon")})
	require.NoError(t, err)
	var acts []string
	for _, r := range trail.GetRevisions() {
		acts = append(acts, r.GetAct())
		require.Equal(t, adminUID, r.GetActor())
	}
	require.Equal(t, []string{"update", "update", "publish", "create"}, acts)
	require.Equal(t, []string{"body", "title"}, trail.GetRevisions()[0].GetChanged())

	_, err = m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey("colophon"), Version: 4, Step: contentv1.Step_STEP_DELETE})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_PUBLISHED, reason(err))
	_, err = m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey("colophon"), Version: 4, Step: contentv1.Step_STEP_UNPUBLISH})
	require.NoError(t, err)
	gone, err := m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey("colophon"), Version: 5, Step: contentv1.Step_STEP_DELETE})
	require.NoError(t, err)
	require.Nil(t, gone.GetItem())
	_, err = m.GetItem(ctx, &contentv1.GetItemRequest{Key: entryKey("colophon")})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reason(err))
}

func TestCallersCannotChangeFieldsOfTheService(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	_, err := h.db.Pool.Exec(ctx, `UPDATE items SET fields = fields || '{"duration": {"en-GB": 61}}' WHERE id = 'awake-at-three'`)
	require.NoError(t, err)
	found, err := m.GetItem(ctx, &contentv1.GetItemRequest{Key: entryKey("awake-at-three")})
	require.NoError(t, err)
	fields := found.GetItem().GetFields()
	require.InDelta(t, 61, fields.AsMap()["duration"].(map[string]any)["en-GB"], 0) //nolint:forcetypeassert // a test
	fields.Fields["duration"], err = structpb.NewValue(map[string]any{"en-GB": 5})
	require.NoError(t, err)
	changed, err := m.UpdateItem(ctx, &contentv1.UpdateItemRequest{Key: entryKey("awake-at-three"), Version: found.GetItem().GetVersion(), Fields: fields})
	require.NoError(t, err)
	require.InDelta(t, 61, changed.GetItem().GetFields().AsMap()["duration"].(map[string]any)["en-GB"], 0) //nolint:forcetypeassert // a test
}

func TestItemsAndTheirTrailAreListedPageByPageAndFound(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	types, err := m.ListContentTypes(ctx, &contentv1.ListContentTypesRequest{})
	require.NoError(t, err)
	counts := map[string]int32{}
	for _, of := range types.GetContentTypes() {
		counts[of.GetId()] = of.GetItems()
		require.NotEmpty(t, of.GetFields())
	}
	require.EqualValues(t, 356, counts["quote"])
	require.EqualValues(t, 13, counts["category"])

	seen, token := map[string]bool{}, ""
	for range 4 {
		page, err := m.ListItems(ctx, &contentv1.ListItemsRequest{ContentType: "quote", PageSize: 100, PageToken: token})
		require.NoError(t, err)
		for _, i := range page.GetItems() {
			seen[i.GetId()] = true
			require.Nil(t, i.GetFields())
		}
		token = page.GetNextPageToken()
	}
	require.Len(t, seen, 356)
	require.Empty(t, token)
	found, err := m.ListItems(ctx, &contentv1.ListItemsRequest{ContentType: "article", Search: "awake THREE"})
	require.NoError(t, err)
	require.Len(t, found.GetItems(), 1)
	all, err := m.ListRevisions(ctx, &contentv1.ListRevisionsRequest{Search: "seed publish awake three", PageSize: 1})
	require.NoError(t, err)
	require.Equal(t, "awake-at-three", all.GetRevisions()[0].GetKey().GetId())
	for _, call := range []error{
		second(m.ListItems(ctx, &contentv1.ListItemsRequest{PageToken: "nonsense"})),
		second(m.ListRevisions(ctx, &contentv1.ListRevisionsRequest{PageToken: "bm9uc2Vuc2U"})),
	} {
		require.Equal(t, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID, reason(call))
	}
}

func second[T any](_ T, err error) error { return err }

func TestEveryRefusalOfAnEditorsRequestHasItsReason(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	create := func(key *contentv1.ItemKey, contentType string, fields map[string]any) error {
		given, err := structpb.NewStruct(fields)
		require.NoError(t, err)
		return second(m.CreateItem(ctx, &contentv1.CreateItemRequest{Key: key, ContentType: contentType, Fields: given}))
	}
	change := func(id string, version int32, step contentv1.Step) error {
		return second(m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey(id), Version: version, Step: step}))
	}
	require.NoError(t, create(entryKey("draft"), "page", map[string]any{}))
	restore := second(m.RestoreRevision(ctx, &contentv1.RestoreRevisionRequest{Key: entryKey("draft"), Version: 1, Revision: 7}))
	upload := second(m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "x", FileName: "x.png", Content: []byte("<svg onload=x()>")}))
	for name, c := range map[string]struct {
		err  error
		want errorsv1.Reason
	}{
		"no id":                 {create(entryKey(""), "page", nil), errorsv1.Reason_REASON_INVALID_ARGUMENT},
		"an id that cannot be":  {create(entryKey("../x"), "page", nil), errorsv1.Reason_REASON_INVALID_ARGUMENT},
		"no such type":          {create(entryKey("x"), "nothing", nil), errorsv1.Reason_REASON_CONTENT_TYPE_NOT_FOUND},
		"no such field":         {create(entryKey("x"), "page", map[string]any{"colour": map[string]any{"en-GB": "red"}}), errorsv1.Reason_REASON_ITEM_INVALID},
		"no locales":            {create(entryKey("x"), "page", map[string]any{"title": "Bare"}), errorsv1.Reason_REASON_ITEM_INVALID},
		"another type of value": {create(entryKey("x"), "page", map[string]any{"title": map[string]any{"en-GB": 5}}), errorsv1.Reason_REASON_ITEM_INVALID},
		"an asset without file": {create(&contentv1.ItemKey{Asset: true, Id: "x"}, "", nil), errorsv1.Reason_REASON_ITEM_INVALID},
		"no step":               {change("draft", 1, 0), errorsv1.Reason_REASON_INVALID_ARGUMENT},
		"unfinished":            {change("draft", 1, contentv1.Step_STEP_PUBLISH), errorsv1.Reason_REASON_ITEM_INVALID},
		"not published":         {change("draft", 1, contentv1.Step_STEP_UNPUBLISH), errorsv1.Reason_REASON_ITEM_NOT_PUBLISHED},
		"not archived":          {change("draft", 1, contentv1.Step_STEP_UNARCHIVE), errorsv1.Reason_REASON_ITEM_NOT_ARCHIVED},
		"readers have it":       {change("awake-at-three", 2, contentv1.Step_STEP_ARCHIVE), errorsv1.Reason_REASON_ITEM_PUBLISHED},
		"not there":             {change("nothing", 1, contentv1.Step_STEP_PUBLISH), errorsv1.Reason_REASON_ITEM_NOT_FOUND},
		"no such revision":      {restore, errorsv1.Reason_REASON_ITEM_NOT_FOUND},
		"no picture":            {upload, errorsv1.Reason_REASON_ASSET_INVALID},
	} {
		require.Equal(t, c.want, reason(c.err), name)
	}
	err := change("draft", 1, contentv1.Step_STEP_PUBLISH)
	require.Equal(t, "title", errs.From(err).Field)
	require.ErrorContains(t, err, "title (en-GB): A value is needed.")
	require.NoError(t, change("draft", 1, contentv1.Step_STEP_ARCHIVE))
	require.Equal(t, errorsv1.Reason_REASON_ITEM_ARCHIVED, reason(change("draft", 2, contentv1.Step_STEP_PUBLISH)))
}

// picture is a PNG of that many pixels.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	var encoded bytes.Buffer
	require.NoError(t, png.Encode(&encoded, image.NewGray(image.Rect(0, 0, width, height))))
	return encoded.Bytes()
}

func TestAPictureIsUploadedAndShownOnceItIsPublished(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	content := picture(t, 7, 5)
	upload := &contentv1.UploadAssetRequest{Id: "pine", Title: "A <b>pine</b>", FileName: "../My Pine.JPG", Content: content}
	made, err := m.UploadAsset(ctx, upload)
	require.NoError(t, err)
	require.Equal(t, "A pine", made.GetItem().GetTitle())
	file := made.GetItem().GetFields().AsMap()["file"].(map[string]any)["en-GB"].(map[string]any) //nolint:forcetypeassert // a test
	require.Equal(t, []any{"my-pine.png", "image/png"}, []any{file["fileName"], file["contentType"]}, "it is what it holds")
	require.Equal(t, map[string]any{"size": float64(len(content)), "image": map[string]any{"width": 7.0, "height": 5.0}}, file["details"])
	_, err = m.UploadAsset(ctx, upload)
	require.NoError(t, err, "the same request makes one asset")
	upload.Content = picture(t, 8, 5)
	_, err = m.UploadAsset(ctx, upload)
	require.Equal(t, errorsv1.Reason_REASON_ITEM_EXISTS, reason(err))

	path := file["url"].(string)[len("//serein"):] //nolint:forcetypeassert // a test
	require.Equal(t, http.StatusNotFound, h.get(path, "gateway", nil).StatusCode, "a draft is nobody's")
	_, err = m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: &contentv1.ItemKey{Asset: true, Id: "pine"}, Version: 1, Step: contentv1.Step_STEP_PUBLISH})
	require.NoError(t, err)
	res := h.get(path, "gateway", nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, []string{"image/png", "public, max-age=31536000, immutable", "nosniff"},
		[]string{res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"), res.Header.Get("X-Content-Type-Options")})
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, content, body)
	require.Equal(t, http.StatusNotModified, h.get(path, "gateway", map[string]string{"If-None-Match": res.Header.Get("Etag")}).StatusCode)
	require.Equal(t, http.StatusForbidden, h.get(path+"?token=x&policy=y", "gateway", nil).StatusCode)
	for _, other := range []string{path + "x", "/media/assets/00/my-pine.png", "/media/assets/..%2f..%2fetc/passwd"} {
		require.Equal(t, http.StatusNotFound, h.get(other, "gateway", nil).StatusCode, other)
	}
}

func TestAnEarlierVersionOfAPictureComesBackWithTheFileThatItHasNow(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	key := &contentv1.ItemKey{Asset: true, Id: "pine"}
	made, err := m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "pine", Title: "A pine", FileName: "pine.png", Content: picture(t, 7, 5)})
	require.NoError(t, err)
	now := map[string]any{"url": "//serein/media/assets/new", "fileName": "new.png", "contentType": "image/png", "details": map[string]any{"size": 1.0}}
	fields, err := structpb.NewStruct(map[string]any{"title": map[string]any{"en-GB": "A fir"}})
	require.NoError(t, err)
	changed, err := m.UpdateItem(ctx, &contentv1.UpdateItemRequest{Key: key, Version: made.GetItem().GetVersion(), Fields: fields})
	require.NoError(t, err)
	// The editors' files alone give an asset another file.
	_, err = h.db.Pool.Exec(t.Context(), `UPDATE items SET fields = jsonb_set(fields, '{file,en-GB}', $1) WHERE kind = 'Asset' AND id = 'pine'`, now)
	require.NoError(t, err)
	restored, err := m.RestoreRevision(ctx, &contentv1.RestoreRevisionRequest{Key: key, Version: changed.GetItem().GetVersion(), Revision: 1})
	require.NoError(t, err)
	got := restored.GetItem().GetFields().AsMap()
	require.Equal(t, map[string]any{"en-GB": "A pine"}, got["title"])
	require.Equal(t, map[string]any{"en-GB": now}, got["file"], "so the audit log needs no file, and keeps no file from removal")
}

func TestAFileOfTenMebibytesIsTakenAndEveryOtherRequestIsSmall(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	frame := append([]byte("\xff\xfb\x90\x64"), make([]byte, 413)...)
	sound := append(bytes.Repeat(frame, 10<<20/len(frame)), make([]byte, len(frame))...)
	_, err := m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "a", FileName: "a.mp3", Content: sound[:10<<20]})
	require.NoError(t, err)
	_, err = m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "b", FileName: "b.mp3", Content: sound})
	require.Equal(t, errorsv1.Reason_REASON_INVALID_ARGUMENT, reason(err))
	_, err = m.CreateItem(ctx, &contentv1.CreateItemRequest{Key: entryKey("x"), ContentType: "page", Fields: pageFields(t, "x", string(make([]byte, 2<<20)))})
	require.Equal(t, errorsv1.Reason_REASON_TOO_LARGE, reason(err))
}

func TestAnEditorSeesWhatReadersWillSee(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	res, err := h.management().PreviewText(admin(t), &contentv1.PreviewTextRequest{Markdown: "*Slowly*<img src=x onerror=x()>"})
	require.NoError(t, err)
	require.Equal(t, "<p><em>Slowly</em></p>\n", res.GetHtml())
}

// Only admins through the gateway, and service accounts with the scope, may manage content.
func TestWhoMayManage(t *testing.T) {
	t.Parallel()
	policy := handlers.Policy()
	methods := contentv1.File_serein_content_v1_management_proto.Services().ByName("ManagementService").Methods()
	for i := range methods.Len() {
		procedure := "/serein.content.v1.ManagementService/" + string(methods.Get(i).Name())
		scope := policy[procedure].Scope
		require.Contains(t, []string{handlers.ReadScope, handlers.WriteScope}, scope, procedure)
		for _, c := range []struct {
			caller auth.Caller
			want   error
		}{
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID, Admin: true}}, nil},
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID}}, auth.ErrAdminRequired},
			{auth.Caller{Service: "gateway"}, auth.ErrUnauthenticated},
			{auth.Caller{Service: "gateway", Subject: auth.Subject{UID: adminUID, Admin: true, Actor: "x"}}, auth.ErrForbidden},
			{auth.Caller{Service: "generation", Subject: auth.Subject{UID: adminUID, Admin: true}}, auth.ErrForbidden},
			{auth.Caller{Service: "client:press", Scopes: []string{scope}}, nil},
			{auth.Caller{Service: "client:press", Scopes: []string{"serein.article.write"}}, auth.ErrForbidden},
		} {
			require.ErrorIs(t, policy.Check(procedure, c.caller), c.want, "%s %+v", procedure, c.caller)
		}
	}
	require.Equal(t, handlers.ReadScope, policy[contentv1connect.ManagementServiceListRevisionsProcedure].Scope)
	require.Equal(t, handlers.WriteScope, policy[contentv1connect.ManagementServiceChangeItemProcedure].Scope)
}

func TestAnEditorGivesAnItemItsTagsAndConceptsAndWhoNamesNoneLeavesThem(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	m, ctx := h.management(), admin(t)
	labels := &contentv1.Labels{Tags: []string{"at-night"}, Concepts: []string{"anger", "trauma"}}
	request := &contentv1.CreateItemRequest{Key: entryKey("colophon"), ContentType: "page", Fields: pageFields(t, "Colophon", "Text."), Labels: labels}
	made, err := m.CreateItem(ctx, request)
	require.NoError(t, err)
	require.Equal(t, []any{labels.Tags, labels.Concepts}, []any{made.GetItem().GetTags(), made.GetItem().GetConcepts()})

	update := &contentv1.UpdateItemRequest{Key: entryKey("colophon"), Version: 1, Fields: pageFields(t, "Another", "Text.")}
	kept, err := m.UpdateItem(ctx, update)
	require.NoError(t, err)
	require.Equal(t, []any{labels.Tags, labels.Concepts}, []any{kept.GetItem().GetTags(), kept.GetItem().GetConcepts()})
	update.Version, update.Labels = 2, &contentv1.Labels{Tags: []string{"at-work", "for-beginners"}}
	changed, err := m.UpdateItem(ctx, update)
	require.NoError(t, err)
	require.Equal(t, []string{"at-work", "for-beginners"}, changed.GetItem().GetTags())
	require.Empty(t, changed.GetItem().GetConcepts())
	_, err = m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: entryKey("colophon"), Version: 3, Step: contentv1.Step_STEP_PUBLISH})
	require.NoError(t, err)
	readers, err := h.content().Published(ctx, entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: "colophon"})
	require.NoError(t, err)
	require.Equal(t, []string{"at-work", "for-beginners"}, readers.Tags)

	for name, wrong := range map[string]*contentv1.Labels{"twice": {Tags: []string{"a", "a"}}, "no id": {Concepts: []string{"a b"}}} {
		update.Version, update.Labels = 4, wrong
		require.Equal(t, errorsv1.Reason_REASON_ITEM_INVALID, reason(second(m.UpdateItem(ctx, update))), name)
	}
	update.Labels = &contentv1.Labels{Tags: make([]string, 101)}
	require.Equal(t, errorsv1.Reason_REASON_INVALID_ARGUMENT, reason(second(m.UpdateItem(ctx, update))))
}
