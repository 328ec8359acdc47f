package content

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

func TestTracksNeverChangeAndCanBeReadInParts(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	track := h.trackPath()
	whole := h.get(track, "gateway", nil)
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, "public, max-age=31536000, immutable", whole.Header.Get("Cache-Control"))
	require.Equal(t, "audio/mpeg", whole.Header.Get("Content-Type"))
	require.Equal(t, "bytes", whole.Header.Get("Accept-Ranges"))
	body, err := io.ReadAll(whole.Body)
	require.NoError(t, err)
	require.Equal(t, "sound of warm", string(body))

	part := h.get(track, "gateway", map[string]string{"Range": "bytes=9-"})
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	body, err = io.ReadAll(part.Body)
	require.NoError(t, err)
	require.Equal(t, "warm", string(body))

	kept := h.get(track, "gateway", map[string]string{"If-None-Match": whole.Header.Get("Etag")})
	require.Equal(t, http.StatusNotModified, kept.StatusCode)
}

func TestOtherNamesAreNotTracks(t *testing.T) {
	t.Parallel()
	h := start(t, fakeSynthesiser{})
	for _, name := range []string{"rain.mp3", "rain-0000000000000000.mp3", "..%2Fnotes%2Frain.fake.json", "%00", "rain-0000000000000000.mp3%2f..", ""} {
		res := h.get("/media/tracks/"+name, "gateway", nil)
		require.Equal(t, http.StatusNotFound, res.StatusCode, name)
	}
}

func TestTheSynthesiserMakesARealTrack(t *testing.T) {
	t.Parallel()
	made := synthesiser{module: testkit.Part(t, "mp3.wasm"), cacheDir: t.TempDir()}
	require.Regexp(t, `^[a-z0-9]+$`, made.Version())
	sound, err := made.Synthesise(t.Context(), "rain")
	require.NoError(t, err)
	require.Equal(t, byte(0xff), sound[0], "a frame of MP3 begins the file")
	from, length := made.Window()
	require.LessOrEqual(t, length, time.Minute)
	require.Positive(t, from)
	_, err = made.Synthesise(t.Context(), "silence")
	require.Error(t, err)
}

func TestWhatDeadProcessesLeftOnTheDiskIsRemovedByItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	part := filepath.Join(dir, "tracks", "incoming.0192")
	require.NoError(t, os.MkdirAll(filepath.Dir(part), 0o700))
	require.NoError(t, os.WriteFile(part, []byte("half"), 0o600))
	long := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(part, long, long))
	startIn(t, dir, fakeSynthesiser{})
	require.Eventually(t, func() bool {
		_, err := os.Stat(part)
		return os.IsNotExist(err)
	}, testkit.Patience, 10*time.Millisecond)
}
