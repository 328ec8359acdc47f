package etag_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/etag"
)

func TestATagIsNamedStronglyOrWeaklyAnywhereInTheList(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{`"a1"`, `W/"a1"`} {
		for _, header := range []string{`"a1"`, `W/"a1"`, `"other", "a1"`, `W/"other",W/"a1" `, "*"} {
			require.True(t, etag.Named(header, tag), "%s of %s", tag, header)
		}
		for _, header := range []string{"", `"a"`, `a1`, `"other"`, `"a1`, `w/"a1"`} {
			require.False(t, etag.Named(header, tag), "%s of %s", tag, header)
		}
	}
}
