package content

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSeededProductAnswersWithItsTagsAndTaxonomyAndFiltersByThem(t *testing.T) {
	t.Parallel()
	_, public := startDelivery(t, readToken)
	list := func(path string) []any {
		status, body := read(t, public+"/spaces/serein/environments/master/"+path)
		require.Equal(t, http.StatusOK, status, path)
		items, _ := body["items"].([]any)
		return items
	}
	require.Len(t, list("tags"), 5)
	require.Len(t, list("taxonomy/concept-schemes"), 1)
	require.Len(t, list("taxonomy/concepts?conceptScheme=categories"), 13)
	require.Len(t, list("entries?metadata.tags.sys.id[in]=lying-down"), 3)
	require.Len(t, list("entries?metadata.tags.sys.id[in]=lying-down,out-and-about"), 5)
	trauma := list("entries?metadata.concepts.sys.id[in]=trauma&limit=1000")
	require.NotEmpty(t, trauma)
	byField := len(list("entries?content_type=article&fields.categories.sys.id=trauma")) + len(list("entries?content_type=meditation&fields.category.sys.id=trauma"))
	require.Len(t, trauma, byField, "the concepts of an item are its categories")
}
