package canaries_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/canaries"
)

const secret = "stillwater-9-Pines"

func TestASecretIsFoundWhereverItStandsAndNotRepeated(t *testing.T) {
	t.Parallel()
	w := canaries.New()
	w.Secret("a password", secret)
	w.Look("a page", []byte(`<input value="someone">`))
	require.NoError(t, w.Err())
	w.Look("an address", []byte("https://example.org/?password="+secret))
	require.ErrorContains(t, w.Err(), `an address holds a password, after "https://example.org/?password="`)
	require.NotContains(t, w.Err().Error(), secret)
}

func TestATokenIsFoundByItsForm(t *testing.T) {
	t.Parallel()
	for text, found := range map[string]bool{
		`{"id_token":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbWFyYSJ9.c2lnbmF0dXJlLXNpZ25hdHVyZQ"}`: true,
		`eyJhbGciOiJSUzI1NiJ9 is the head of one`:                                             false,
		`{"a":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbWFyYSJ9."}`:                                  false,
	} {
		w := canaries.New()
		w.Secret("a password", secret)
		w.Look("an answer", []byte(text))
		require.Equal(t, found, w.Err() != nil, text)
	}
}

func TestEveryFileBelowAFolderIsLookedAt(t *testing.T) {
	t.Parallel()
	w := canaries.New()
	w.Secret("a password", secret)
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "a", "b"), 0o750))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a", "b", "c.log"), []byte("tried "+secret), 0o600))
	require.NoError(t, w.Folder(folder))
	require.ErrorContains(t, w.Err(), "c.log holds a password")
}

func TestWhoLooksNowhereFindsNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	w := canaries.New()
	require.ErrorContains(t, w.Err(), "0 texts")
	w.Look("a page", []byte("nothing"))
	require.ErrorContains(t, w.Err(), "for 0 secrets")
	w.Secret("too short to be looked for", "sesame")
	require.Error(t, w.Err())
}
