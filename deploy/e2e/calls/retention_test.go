package calls

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	"serein.app/services/platform/service"
)

// What a program says that it removes is what the running one goes through, soon after its start.
func TestEveryServiceRemovesWhatItSays(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, schema := range stack.Schemas() {
		var want []string
		for _, p := range append(service.Retention(), schema.Retention...) {
			want = append(want, p.Name)
		}
		var done []string
		require.NoError(t, harness.Eventually(ctx, schema.Service+" has been through its tables", func(ctx context.Context) (bool, error) {
			var err error
			done, err = harness.SQL[[]string](ctx, product.Harness, schema.Service, "SELECT coalesce(array_agg(name), '{}') FROM retention")
			return len(done) >= len(want), err
		}))
		require.ElementsMatch(t, want, done, schema.Service)
	}
}
