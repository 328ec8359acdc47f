package uid_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/uid"
)

func TestAnIDHasOneForm(t *testing.T) {
	t.Parallel()
	const id = "0192f0c1-0000-7000-8000-00000000000a"
	require.True(t, uid.IsCanonical(id))
	for _, other := range []string{
		"", strings.ToUpper(id), strings.ReplaceAll(id, "-", ""), "{" + id + "}", "urn:uuid:" + id, id + "\n", " " + id, id[1:], id + "/..",
	} {
		require.False(t, uid.IsCanonical(other), "%q", other)
	}
}
