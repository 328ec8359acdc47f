package content

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
	"serein.app/services/testkit"
)

func TestTheFirstStartFillsTheDatabaseWhileTheServiceAnswers(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	require.Equal(t, http.StatusOK, h.get("/readyz", "", nil).StatusCode)
	contents, faults := seeding.Read(seed.FS)
	require.Empty(t, faults)
	require.Eventually(t, func() bool {
		var n int
		require.NoError(t, h.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM published").Scan(&n))
		return n == len(contents.Items)
	}, testkit.Patience, 20*time.Millisecond)
}
