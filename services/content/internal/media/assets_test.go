package media

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/assets"
	"serein.app/services/testkit"
)

// inTrial has every file, but in the environment trial alone.
type inTrial struct{}

func (inTrial) HasFile(_ context.Context, environment, _ string) (bool, error) {
	return environment == "" || environment == "trial", nil
}

// keyOf takes every signature for one of a key of that environment.
type keyOf string

func (k keyOf) Check(string, url.Values) (environment string, err error) { return string(k), nil }

func TestAKeyOpensTheFilesOfItsEnvironmentAlone(t *testing.T) {
	t.Parallel()
	store, hash := newStore(t), strings.Repeat("0a", 32)
	require.NoError(t, store.Put(t.Context(), assets.Key(hash, "pine.webp"), strings.NewReader("pine"), 4))
	for _, c := range []struct {
		keys   Keys
		query  string
		status int
	}{
		{keyOf("trial"), "?token=t&policy=p", http.StatusOK},
		{keyOf("master"), "?token=t&policy=p", http.StatusNotFound},
		{keyOf("master"), "", http.StatusOK}, // without a key: the files of every environment's readers
		{nil, "?token=t&policy=p", http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/media/assets/"+hash+"/pine.webp"+c.query, nil)
		r.SetPathValue("hash", hash)
		r.SetPathValue("name", "pine.webp")
		w := httptest.NewRecorder()
		NewAssets(inTrial{}, store, c.keys, testkit.Logger(t)).ServeHTTP(w, r)
		require.Equal(t, c.status, w.Code, "%v %s", c.keys, c.query)
	}
}
