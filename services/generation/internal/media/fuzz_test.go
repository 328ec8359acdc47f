package media

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
)

// sound is a store whose every object is the same few bytes.
type sound struct {
	blob.Store
	mp3 []byte
}

func (s sound) Open(context.Context, string) (io.ReadSeekCloser, blob.Info, error) {
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(s.mp3), io.NopCloser(nil)}, blob.Info{Size: int64(len(s.mp3))}, nil
}

// FuzzARangeIsAPartOfTheMembersOwnSound: whatever id, range and conditions are sent, the owner gets the sound, a part of
// it as the answer's own words say, or a refusal that names no fault of ours; another member gets nothing.
func FuzzARangeIsAPartOfTheMembersOwnSound(f *testing.F) {
	mp3 := []byte("0123456789abcdef")
	store := ready{uid: uuid.MustParse("0192f0c1-0000-7000-8000-00000000000a"), id: uuid.MustParse("01a1fc32-6def-7867-a724-f88c427cd082")}
	mux := http.NewServeMux()
	for pattern, h := range Routes(meditation.New(meditation.Ports{Store: store, Blobs: sound{mp3: mp3}}), slog.New(slog.DiscardHandler)) {
		mux.Handle(pattern, h)
	}
	own := "/v1/meditations/" + store.id.String() + "/audio"
	for _, ranges := range []string{
		"", "bytes=0-", "bytes=-1", "bytes=5-2", "bytes=0-0,2-3", "bytes=99-", "bytes=-9223372036854775808", "bytes=9223372036854775807-9223372036854775807",
		"bytes=0-18446744073709551615", "octets=0-1", "bytes=", "bytes=,", "bytes=--1", "bytes= 1 - 2 ", "bytes=\x00",
	} {
		f.Add(own, ranges, "", "", "")
		f.Add(own, ranges, strconv.Quote(store.id.String()), "", "")
		f.Add(own, ranges, "Thu, 01 Jan 1970 00:00:00 GMT", "W/\"", "yesterday")
	}
	f.Add("/v1/meditations/%2e%2e/audio", "bytes=0-", "*", "*", "")
	f.Add("/v1/meditations/"+store.id.URN()+"/audio", "", "", "", "")
	for _, index := range []string{"0", "-1", "2147483648", "9999999999999999999", "0x1", "\x00"} {
		f.Add("/v1/meditations/"+store.id.String()+"/segments/"+index, "bytes=1-1", "", "", "")
	}
	f.Fuzz(func(t *testing.T, path, ranges, ifRange, ifMatch, ifSince string) {
		for _, uid := range []string{store.uid.String(), uuid.NewString()} {
			r := httptest.NewRequestWithContext(auth.WithMember(t.Context(), uid), http.MethodGet, "/", nil)
			r.URL.Path = path
			r.Header = http.Header{"Range": {ranges}, "If-Range": {ifRange}, "If-None-Match": {ifMatch}, "If-Modified-Since": {ifSince}}
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			require.Less(t, w.Code, http.StatusInternalServerError, "%q %q", path, ranges)
			if uid != store.uid.String() {
				require.GreaterOrEqual(t, w.Code, http.StatusMultipleChoices)
				require.NotContains(t, w.Body.String(), string(mp3[:4]))
				continue
			}
			requirePart(t, mp3, w.Result())
		}
	})
}

// requirePart checks that an answer holds the bytes that it says it holds.
func requirePart(t *testing.T, whole []byte, res *http.Response) {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	switch res.StatusCode {
	case http.StatusOK:
		require.Contains(t, []string{string(whole), string(whole[:3])}, string(body), "a sound, or the segment of three bytes")
	case http.StatusPartialContent:
		if bounds := res.Header.Get("Content-Range"); bounds != "" { // several parts have theirs inside
			require.Equal(t, len(body), int(res.ContentLength))
			require.Contains(t, string(whole), string(body), bounds)
			require.Equal(t, blob.Private, res.Header.Get("Cache-Control"))
		}
	default:
		require.GreaterOrEqual(t, res.StatusCode, http.StatusMultipleChoices)
	}
}
