package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/auth"
)

func TestRFC6750ATokenHasOneSpelling(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"Bearer a.b-c_d.e~f+g/h==", "bearer a.b-c_d.e~f+g/h==", "BEARER   a.b-c_d.e~f+g/h=="} {
		token, ok := auth.Bearer(header)
		require.True(t, ok, header)
		require.Equal(t, "a.b-c_d.e~f+g/h==", token)
	}
	for _, header := range []string{
		"", "Bearer", "Bearer ", "Basic a.b.c", "Bearer a.b\t.c", "Bearer \ta.b.c", "Bearer a.b.c\t", "Bearer a.b .c", "Bearer a.b.c\n", "Bearer a,b", "Bearer é.b.c", "Bearer\ta.b.c",
	} {
		token, ok := auth.Bearer(header)
		require.False(t, ok, "%q", header)
		require.Empty(t, token)
	}
}
