package meditation

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// FuzzAPageTokenIsAPlaceOrRefused: whatever is sent as a token is refused in the caller's words, or is written the
// same again from the place that it names.
func FuzzAPageTokenIsAPlaceOrRefused(f *testing.F) {
	m := Meditation{ID: uuid.MustParse("01a1fc32-6def-7867-a724-f88c427cd082"), CreatedAt: time.Date(2026, 11, 21, 3, 4, 5, 678901000, time.UTC)}
	f.Add(tokenAfter(Active, m))
	for _, s := range []string{"", "x", "\x00", "=", "2026-11-21T03:04:05Z", "0000-01-01T00:00:00Z " + m.ID.String(), "9999-12-31T23:59:59.999999999-23:59 " + m.ID.URN(), "2026-11-21T03:04:05Z {" + m.ID.String() + "}"} {
		f.Add(s)
		f.Add(base64.RawURLEncoding.EncodeToString([]byte(s)))
	}
	f.Fuzz(func(t *testing.T, token string) {
		page, err := parseToken(token)
		if err != nil {
			require.ErrorIs(t, err, ErrPageToken)
			return
		}
		if token == "" {
			require.True(t, page.First())
			return
		}
		require.LessOrEqual(t, page.BeforeTime.UTC().Year(), 9999)
		require.Equal(t, token, tokenAfter(Active, Meditation{ID: page.BeforeID, CreatedAt: page.BeforeTime}))
	})
}
