package content

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/testkit"
)

// A copy begins as master is, goes its own way, and master stays.
func TestEditorsTryThingsInACopyOfMaster(t *testing.T) {
	t.Parallel()
	h, public := startDelivery(t, readToken+",another-read-token-for-master=master")
	m, ctx := h.management(), admin(t)
	page := func(environment string) map[string]any {
		status, body := read(t, public+"/spaces/serein/environments/"+environment+"/entries/about")
		require.Equal(t, http.StatusOK, status, body)
		fields, _ := body["fields"].(map[string]any)
		return fields
	}
	total := func(environment string) any {
		_, body := read(t, public+"/spaces/serein/environments/"+environment+"/entries?content_type=quote&limit=1")
		return body["total"]
	}
	status, _ := read(t, public+"/spaces/serein/environments/trial/entries")
	require.Equal(t, http.StatusNotFound, status)
	for range 2 {
		made, err := m.CreateEnvironment(ctx, &contentv1.CreateEnvironmentRequest{Id: "trial"})
		require.NoError(t, err)
		require.Equal(t, "trial", made.GetEnvironment().GetId())
	}
	all, err := m.ListEnvironments(ctx, &contentv1.ListEnvironmentsRequest{})
	require.NoError(t, err)
	require.Len(t, all.GetEnvironments(), 2)
	require.Equal(t, "trial", all.GetEnvironments()[1].GetId())
	require.Equal(t, page("master"), page("trial"))
	require.InDelta(t, 356, total("trial"), 0)
	for _, environment := range []string{"", "trial"} {
		types, err := m.ListContentTypes(ctx, &contentv1.ListContentTypesRequest{Environment: environment})
		require.NoError(t, err)
		counted := map[string]int32{}
		for _, c := range types.GetContentTypes() {
			counted[c.GetId()] = c.GetItems()
		}
		require.EqualValues(t, 356, counted["quote"], environment)
	}

	key := &contentv1.ItemKey{Id: "about", Environment: "trial"}
	before := page("master")
	there, err := m.GetItem(ctx, &contentv1.GetItemRequest{Key: key})
	require.NoError(t, err)
	fields := there.GetItem().GetFields()
	fields.GetFields()["title"].GetStructValue().GetFields()["en-GB"] = pageFields(t, "On trial", "x").GetFields()["title"].GetStructValue().GetFields()["en-GB"]
	changed, err := m.UpdateItem(ctx, &contentv1.UpdateItemRequest{Key: key, Version: there.GetItem().GetVersion(), Fields: fields})
	require.NoError(t, err)
	_, err = m.ChangeItem(ctx, &contentv1.ChangeItemRequest{Key: key, Version: changed.GetItem().GetVersion(), Step: contentv1.Step_STEP_PUBLISH})
	require.NoError(t, err)
	require.Equal(t, "On trial", page("trial")["title"])
	require.Equal(t, before, page("master"))
	found, err := m.ListItems(ctx, &contentv1.ListItemsRequest{ContentType: changed.GetItem().GetContentType(), Search: "trial", Environment: "trial"})
	require.NoError(t, err)
	require.Len(t, found.GetItems(), 1)
	_, err = m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "dot", Title: "Dot", FileName: "dot.png", Content: picture(t, 8, 8), Environment: "trial"})
	require.NoError(t, err)
	_, err = m.UploadAsset(ctx, &contentv1.UploadAssetRequest{Id: "dot", Title: "Dot", FileName: "dot.png", Content: picture(t, 8, 8), Environment: "nowhere"})
	require.Equal(t, errorsv1.Reason_REASON_ITEM_NOT_FOUND, reason(err))

	trail := func(req *contentv1.ListRevisionsRequest) (acts []string) {
		req.PageSize = 3
		res, err := m.ListRevisions(ctx, req)
		require.NoError(t, err)
		for _, r := range res.GetRevisions() {
			if r.GetActor() == adminUID {
				acts = append(acts, r.GetAct()+" "+r.GetKey().GetId()+" of "+r.GetKey().GetEnvironment())
			}
		}
		return acts
	}
	require.Equal(t, []string{"create dot of trial", "publish about of trial", "update about of trial"}, trail(&contentv1.ListRevisionsRequest{Environment: "trial"}))
	require.Equal(t, []string{"create trial of "}, trail(&contentv1.ListRevisionsRequest{}))

	_, err = m.DeleteEnvironment(ctx, &contentv1.DeleteEnvironmentRequest{Id: "master"})
	require.Equal(t, errorsv1.Reason_REASON_ENVIRONMENT_KEPT, reason(err))
	for range 2 {
		_, err = m.DeleteEnvironment(ctx, &contentv1.DeleteEnvironmentRequest{Id: "trial"})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { // the delivery API reads content types again every second
		status, _ := read(t, public+"/spaces/serein/environments/trial/entries")
		return status == http.StatusNotFound
	}, testkit.Patience, 50*time.Millisecond)
	require.Equal(t, before, page("master"))
	require.InDelta(t, 356, total("master"), 0)
	for _, table := range []string{"items", "published", "links", "revisions", "content_types", "tags", "locales", "published_counts", "deletions"} {
		var left int
		require.NoError(t, h.db.Pool.QueryRow(ctx, "SELECT count(*) FROM "+table+" WHERE environment = 'trial'").Scan(&left))
		require.Zero(t, left, table)
	}
	require.Equal(t, []string{"delete trial of ", "create trial of "}, trail(&contentv1.ListRevisionsRequest{}))

	for _, id := range []string{"trial", "b", "c", "d"} {
		_, err = m.CreateEnvironment(ctx, &contentv1.CreateEnvironmentRequest{Id: id})
		require.NoError(t, err)
	}
	_, err = m.CreateEnvironment(ctx, &contentv1.CreateEnvironmentRequest{Id: "e"})
	require.Equal(t, errorsv1.Reason_REASON_ENVIRONMENTS_FULL, reason(err))
	_, err = m.CreateEnvironment(ctx, &contentv1.CreateEnvironmentRequest{Id: "d"})
	require.NoError(t, err, "it is there already")
}
