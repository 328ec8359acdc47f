package blob_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/blob"
	"serein.app/services/testkit/s3test"
)

// stores opens every implementation; each guarantee below holds for all of them.
func stores(t *testing.T) map[string]blob.Store {
	t.Helper()
	files, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	objects, err := blob.Open(s3test.New(t))
	require.NoError(t, err)
	return map[string]blob.Store{"files": files, "s3": objects}
}

func TestWhatIsPutCanBeReadAndSought(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			require.NoError(t, store.Put(ctx, "a/b/one.mp3", strings.NewReader("first"), 5))
			require.NoError(t, store.Put(ctx, "a/b/one.mp3", strings.NewReader("second"), 6))
			file, info, err := store.Open(ctx, "a/b/one.mp3")
			require.NoError(t, err)
			require.EqualValues(t, 6, info.Size)
			_, err = file.Seek(3, io.SeekStart)
			require.NoError(t, err)
			rest, err := io.ReadAll(file)
			require.NoError(t, err)
			require.Equal(t, "ond", string(rest))
			require.NoError(t, file.Close())
		})
	}
}

func TestListFindsByPrefixAndDeleteForgets(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			for _, key := range []string{"m/1/b.mp3", "m/1/a.mp3", "m/2/a.mp3"} {
				require.NoError(t, store.Put(ctx, key, strings.NewReader("x"), 1))
			}
			keys, err := store.List(ctx, "m/1/")
			require.NoError(t, err)
			require.Equal(t, []string{"m/1/a.mp3", "m/1/b.mp3"}, keys)
			require.NoError(t, store.Delete(ctx, "m/1/a.mp3"))
			require.NoError(t, store.Delete(ctx, "m/1/a.mp3"))
			_, _, err = store.Open(ctx, "m/1/a.mp3")
			require.ErrorIs(t, err, blob.ErrNotFound)
		})
	}
}

func FuzzKeysNeverLeaveTheStore(f *testing.F) {
	for _, key := range []string{"../x", "/etc/passwd", "a/../../x", "a\x00b", "a//b", `a\b`, ".", "", "a/.hidden", strings.Repeat("a/", 400), "a/" + strings.Repeat("b", 300), "a/" + strings.Repeat("b", 255) + "/c/" + strings.Repeat("d", 256), "a"} {
		f.Add(key)
	}
	dir := f.TempDir()
	store, err := blob.Open("file://" + dir + "/inside")
	require.NoError(f, err)
	outside, err := blob.Open("file://" + dir)
	require.NoError(f, err)
	require.NoError(f, outside.Put(f.Context(), "beside", strings.NewReader("x"), 1))
	f.Fuzz(func(t *testing.T, key string) {
		put := store.Put(t.Context(), key, strings.NewReader("x"), 1)
		keys, err := outside.List(t.Context(), "")
		require.NoError(t, err)
		want := []string{"beside"}
		if put == nil {
			want = append(want, "inside/"+key)
		}
		require.Equal(t, want, keys)
		if err := store.Delete(t.Context(), key); put == nil {
			require.NoError(t, err)
		}
		keys, err = outside.List(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []string{"beside"}, keys, "nothing outside goes")
		left, err := os.ReadDir(dir + "/inside")
		require.NoError(t, err)
		require.LessOrEqual(t, len(left), 1, "the folder of what is being put stays, and no other: %v", left)
	})
}
