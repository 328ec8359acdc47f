package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/contenttest"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/retention"
	"serein.app/services/testkit"
)

func TestReadersAreToldForAYearAndTheLastActOfEachItemStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	item := h.published(t, "a", titled("First"))
	_, err := h.Unpublish(t.Context(), editor, key("a"), item.Version)
	require.NoError(t, err)
	require.Zero(t, testkit.Retain(t, h.Pool, store.Retention(), contenttest.Begin.Add(store.DeletionsKept-time.Microsecond)))
	require.Equal(t, 1, testkit.Retain(t, h.Pool, store.Retention(), contenttest.Begin.Add(store.DeletionsKept)))
	require.Zero(t, h.Count(t, "SELECT count(*) FROM deletions"))

	require.Equal(t, 2, testkit.Retain(t, h.Pool, store.Retention(), contenttest.Begin.Add(5*365*retention.Day)))
	trail, err := h.Revisions(t.Context(), key("a"), "", 0, 10)
	require.NoError(t, err)
	require.Len(t, trail, 1)
	require.Equal(t, "unpublish", trail[0].Act)
}
