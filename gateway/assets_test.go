package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/auth"
)

// asset is content's: one file, whose signature holds where the token is the policy's.
func (s *services) asset(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	switch {
	case auth.SubjectFrom(r.Context()).UID != "" || len(query) > 0 && (len(query) != 2 || len(query["token"]) != 1):
		http.Error(w, "it needs no more than this", http.StatusTeapot)
	case query.Get("token") != query.Get("policy"):
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path != pine:
		http.NotFound(w, r)
	default:
		w.Header().Set("Etag", `"pine"`)
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Set-Cookie", "a=b")
		http.ServeContent(w, r, "", createdAt, strings.NewReader("a picture"))
	}
}

var pine = "/media/assets/" + strings.Repeat("0a", 32) + "/pine.webp"

func TestFilesOfAssetsAreEverybodysAndNeverChange(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for _, b := range []*browser{s.gateways[0].browser(t), s.member(t)} {
		whole := b.get(t, pine)
		require.Equal(t, http.StatusOK, whole.StatusCode)
		require.Equal(t, "a picture", whole.body)
		for name, want := range map[string]string{
			"Content-Type": "image/webp", "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff", "Etag": `"pine"`, "Set-Cookie": "",
			"Cross-Origin-Resource-Policy": "cross-origin", // readers of the delivery API show them on pages of their own
		} {
			require.Equal(t, want, whole.Header.Get(name), name)
		}
		require.Equal(t, http.StatusPartialContent, b.get(t, pine, "Range", "bytes=1-3").StatusCode)
		several := b.get(t, pine, "Range", "bytes=0-1,5-6")
		require.Equal(t, []any{http.StatusOK, "image/webp", "a picture"}, []any{several.StatusCode, several.Header.Get("Content-Type"), several.body}, "in parts it would be of another type")
		require.Equal(t, http.StatusNotModified, b.get(t, pine, "If-None-Match", `"pine"`).StatusCode)
	}
	b := s.gateways[0].browser(t)
	folder := strings.TrimSuffix(pine, "pine.webp")
	for _, other := range []string{
		folder + "oak.webp", folder + "pine.svg", folder + "pine.html", folder + "pine", folder + "Pine.webp", folder + "..%2fpine.webp", folder + "pine.webp/x",
		strings.ToUpper(folder[:20]) + folder[20:] + "pine.webp", "/media/assets/0a/pine.webp", "/media/assets/..%2f..%2fetc/passwd",
	} {
		require.Equal(t, http.StatusNotFound, b.get(t, other).StatusCode, other)
	}
	require.Equal(t, "same-origin", b.get(t, folder+"oak.webp").Header.Get("Cross-Origin-Resource-Policy"))
	s.services.content.Close()
	require.Equal(t, http.StatusServiceUnavailable, b.get(t, pine).StatusCode)
}

func TestASignedAddressOfAnAssetIsJudgedByContent(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	require.Equal(t, http.StatusOK, b.get(t, pine+"?token=x%2By&policy=x%2By").StatusCode)
	require.Equal(t, http.StatusOK, b.get(t, pine+"?w=600&token=x&utm_source=mail&policy=x&token=z").StatusCode, "nothing else of the query crosses")
	require.Equal(t, http.StatusOK, b.get(t, pine+"?w=600").StatusCode)
	bad := b.get(t, pine+"?token=x&policy=y")
	require.Equal(t, http.StatusForbidden, bad.StatusCode)
	require.Equal(t, "no-store", bad.Header.Get("Cache-Control"))
}
