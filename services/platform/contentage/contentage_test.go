package contentage_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/contentage"
)

func TestAnAgeIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	header := http.Header{}
	for want, age := range map[time.Duration]time.Duration{
		0: -time.Second, 90 * time.Second: 90*time.Second + 900*time.Millisecond, 72 * time.Hour: 72 * time.Hour,
	} {
		contentage.Set(header, age)
		got, known := contentage.From(header)
		require.True(t, known)
		require.Equal(t, want, got)
	}
	for _, none := range []string{"", "-1", "soon", "1.5", "99999999999999999999"} {
		header.Set(contentage.Header, none)
		_, known := contentage.From(header)
		require.False(t, known, none)
	}
}

func TestAnswersHaveTheAgeOfTheirSource(t *testing.T) {
	t.Parallel()
	said := func(source contentage.Source) string {
		w := httptest.NewRecorder()
		source.On(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
		return w.Header().Get(contentage.Header)
	}
	require.Equal(t, "7", said(func() (time.Duration, bool) { return 7 * time.Second, true }))
	require.Empty(t, said(func() (time.Duration, bool) { return 0, false }))
	require.Empty(t, said(nil))
}
