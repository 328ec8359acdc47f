package page

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhateverIsPackedIsUnpackedTheSame(t *testing.T) {
	t.Parallel()
	piece := rapid.SliceOfN(rapid.Byte(), 0, 300)
	rapid.Check(t, func(t *rapid.T) {
		d := &document{before: piece.Draw(t, "before"), after: piece.Draw(t, "after"), packing: new(packing)}
		for range 2 {
			boot := bytes.Repeat(piece.Draw(t, "boot"), rapid.SampledFrom([]int{1, 1, 700}).Draw(t, "times")) // a stored block has 65,535 bytes at most
			z, err := gzip.NewReader(bytes.NewReader(d.packing.appendTo(nil, d, boot)))
			require.NoError(t, err)
			got, err := io.ReadAll(z)
			require.NoError(t, err) // its checksum and length are right
			require.Equal(t, string(d.before)+string(boot)+string(d.after), string(got))
		}
	})
}

// From the length of what is compressed together with somebody's data the data can be guessed, letter by letter.
func TestNobodysDataIsCompressed(t *testing.T) {
	t.Parallel()
	const boot = `{"member":{"email":"ada@example.org"}}`
	for path, site := range map[string]*Site{"/articles/breath": articleSite(t, &content{title: "ada@example.org"}), "/journey": load(t, boot)} {
		if who, ok := site.app.(*app); ok {
			who.boot = boot
		}
		w := get(t, site, http.MethodGet, path, "Accept-Encoding", "gzip")
		require.Equal(t, "gzip", w.Header().Get("Content-Encoding"), path)
		require.Contains(t, w.Body.String(), boot, path)
	}
}
