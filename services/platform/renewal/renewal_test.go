package renewal_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/renewal"
)

// A client that lost its answer has waited, and then rests, before it brings the old token again; that try may be lost as well.
func TestTheGraceOutlastsTheTriesThatItForgives(t *testing.T) {
	t.Parallel()
	require.Greater(t, renewal.Grace, 2*(renewal.Wait+renewal.Rest))
	require.GreaterOrEqual(t, renewal.Grace, time.Minute)
}
