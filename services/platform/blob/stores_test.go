package blob_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/blob"
)

func read(t *testing.T, store blob.Store, key string) string {
	t.Helper()
	file, info, err := store.Open(t.Context(), key)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	all, err := io.ReadAll(file)
	require.NoError(t, err)
	require.EqualValues(t, len(all), info.Size)
	require.WithinDuration(t, time.Now(), info.Modified, time.Minute)
	return string(all)
}

func TestAnUnfinishedPutLeavesTheOldFileAsItWas(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, store.Put(t.Context(), "a/one.mp3", strings.NewReader("first"), 5))
			broken := io.MultiReader(strings.NewReader("sec"), iotest.ErrReader(errors.New("the line broke")))
			require.ErrorContains(t, store.Put(t.Context(), "a/one.mp3", broken, 6), "the line broke")
			require.Equal(t, "first", read(t, store, "a/one.mp3"))
			require.Error(t, store.Put(t.Context(), "a/two.mp3", iotest.ErrReader(errors.New("the line broke")), 6))
			keys, err := store.List(t.Context(), "")
			require.NoError(t, err)
			require.Equal(t, []string{"a/one.mp3"}, keys)
		})
	}
}

func TestASmallFileIsReadWhole(t *testing.T) {
	t.Parallel()
	const most = 5
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, store.Put(t.Context(), "a/one.mp3", strings.NewReader("first"), most))
			require.NoError(t, store.Put(t.Context(), "a/two.mp3", strings.NewReader("longer"), most+1))
			data, err := store.Read(t.Context(), "a/one.mp3", most)
			require.NoError(t, err)
			require.Equal(t, "first", string(data))
			_, err = store.Read(t.Context(), "a/two.mp3", most)
			require.ErrorContains(t, err, "more than 5 bytes")
			for _, absent := range []string{"a/none.mp3", "a", "../a"} {
				_, err = store.Read(t.Context(), absent, most)
				require.ErrorIs(t, err, blob.ErrNotFound, absent)
			}
		})
	}
}

func TestAFileIsAsLongAsItWasSaidToBeOrNotThere(t *testing.T) {
	t.Parallel()
	const sound = "four bytes"
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Error(t, store.Put(t.Context(), "short.mp3", strings.NewReader(sound), 100))
			_, _, err := store.Open(t.Context(), "short.mp3")
			require.ErrorIs(t, err, blob.ErrNotFound)
			require.NoError(t, store.Put(t.Context(), "cut.mp3", strings.NewReader(sound), 4))
			require.Equal(t, "four", read(t, store, "cut.mp3"))
		})
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, store.Put(t.Context(), "a/b.mp3", strings.NewReader("x"), 1))
			for _, key := range []string{"none.mp3", "a", "a/b.mp3/c", "", "../a/b.mp3", "/a/b.mp3"} {
				_, _, err := store.Open(t.Context(), key)
				require.ErrorIs(t, err, blob.ErrNotFound, "%q", key)
			}
			keys, err := store.List(t.Context(), "zzz/")
			require.NoError(t, err)
			require.Empty(t, keys)
		})
	}
}

func TestKeysThatCouldMeanSomethingElseAreRefused(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"", ".", "..", "a/../b", "/a", "a/", "a//b", ".hidden", "a b", "a\x00", strings.Repeat("k", 513)} {
				require.Error(t, store.Put(t.Context(), key, strings.NewReader("x"), 1), "%q", key)
				require.Error(t, store.Delete(t.Context(), key), "%q", key)
			}
		})
	}
}

func TestACallThatIsOverChangesNothing(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			over, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, store.Put(over, "one.mp3", strings.NewReader("x"), 1), context.Canceled)
			keys, err := store.List(t.Context(), "")
			require.NoError(t, err)
			require.Empty(t, keys)
		})
	}
}

func TestAddressesThatLeadNowhereAreRefusedWithoutTheirSecret(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "file://", "ftp://host/x", "s3://host/bucket", "s3://KEY@host/bucket", "s3://KEY:hunter2@host/",
		"s3://KEY:hunter2@host:port/bucket", "s3://KEY:hunter2@ho st/bucket",
	} {
		_, err := blob.Open(bad)
		require.Error(t, err, "%q", bad)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// A process that died while it wrote leaves a part behind that nobody may take for a file.
func TestThePartsOfADeadProcessAreNoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "incoming.0192"), []byte("half"), 0o600))
	keys, err := store.List(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, keys)
}

func TestAFolderIsForgottenWithAllThatIsInItAndNothingBeside(t *testing.T) {
	t.Parallel()
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"m/1/segments/0.mp3", "m/1/segments/1.mp3", "m/1/audio.mp3", "m/12/audio.mp3", "m/1.mp3"} {
				require.NoError(t, store.Put(t.Context(), key, strings.NewReader("x"), 1))
			}
			require.NoError(t, store.DeleteFolder(t.Context(), "m/1/segments"))
			require.NoError(t, store.DeleteFolder(t.Context(), "m/1/segments"), "once more")
			keys, err := store.List(t.Context(), "m/")
			require.NoError(t, err)
			require.Equal(t, []string{"m/1.mp3", "m/1/audio.mp3", "m/12/audio.mp3"}, keys)
			require.NoError(t, store.DeleteFolder(t.Context(), "m/1"))
			keys, err = store.List(t.Context(), "m/")
			require.NoError(t, err)
			require.Equal(t, []string{"m/1.mp3", "m/12/audio.mp3"}, keys)
			for _, folder := range []string{"", ".", "..", "/", "m/", "../m", ".incoming"} {
				require.Error(t, store.DeleteFolder(t.Context(), folder), "%q", folder)
			}
		})
	}
}

// A store holds millions of folders: only the one that is asked for may be looked at.
func TestAListingLooksIntoNoOtherFolder(t *testing.T) { //nolint:paralleltest // allocations are counted
	dir := t.TempDir()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "m/1/a.mp3", strings.NewReader("x"), 1))
	for i := range 2000 {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "m", "other", strconv.Itoa(i)), 0o700))
	}
	list := func() float64 {
		return testing.AllocsPerRun(10, func() {
			keys, err := store.List(t.Context(), "m/1/")
			require.NoError(t, err)
			require.Equal(t, []string{"m/1/a.mp3"}, keys)
		})
	}
	require.Less(t, list(), 200.0, "beside 2,000 other folders")
}

func TestNoEmptyFolderIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "m/1/segments/0.mp3", strings.NewReader("x"), 1))
	require.NoError(t, store.Put(t.Context(), "m/2/audio.mp3", strings.NewReader("x"), 1))
	require.NoError(t, store.Delete(t.Context(), "m/1/segments/0.mp3"))
	require.NoDirExists(t, filepath.Join(dir, "m", "1"))
	require.NoError(t, store.DeleteFolder(t.Context(), "m/2"))
	require.NoDirExists(t, filepath.Join(dir, "m"))
}

// A folder that is being emptied and one that is being filled may be the same.
func TestPutsAndDeletesOfOneFolderDoNotHurtEachOther(t *testing.T) {
	t.Parallel()
	store, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	var working sync.WaitGroup
	for _, key := range []string{"m/1/a.mp3", "m/1/b.mp3", "m/1/c.mp3"} {
		working.Go(func() {
			for range 300 {
				if err := errors.Join(store.Put(t.Context(), key, strings.NewReader("x"), 1), store.Delete(t.Context(), key)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	working.Wait()
}

// On a slow disk another process may remove the folder between any two steps of a Put, many times in a row.
func TestAPutOutlastsOthersThatRemoveItsFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	done := make(chan struct{})
	var removing sync.WaitGroup
	for range 4 {
		removing.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = os.Remove(filepath.Join(dir, "m"))
				}
			}
		})
	}
	defer removing.Wait()
	defer close(done)
	for i := range 100 {
		require.NoError(t, store.Put(t.Context(), fmt.Sprintf("m/%d.mp3", i), strings.NewReader("x"), 1))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "m")))
	}
}

func TestAPutWhoseStoreIsGoneEnds(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "store")
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.ErrorIs(t, store.Put(t.Context(), "m/1.mp3", &remover{dir: dir}, 1), fs.ErrNotExist)
}

// remover is a file of one byte; reading it removes a folder.
type remover struct{ dir string }

func (r *remover) Read(p []byte) (int, error) {
	p[0] = 'x'
	return 1, os.RemoveAll(r.dir)
}

// A process may live for months; what others leave behind meanwhile goes without a start.
func TestWhatDeadProcessesLeaveIsRemovedWhileOneLives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := blob.Open("file://" + dir)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "m/1/audio.mp3", strings.NewReader("sound"), 5))
	long, now := time.Now().Add(-2*time.Hour), time.Now()
	inDir := func(name string) string { return filepath.Join(dir, name) }
	for _, folder := range []string{"m/2/segments", "m/3"} {
		require.NoError(t, os.MkdirAll(inDir(folder), 0o700))
	}
	leftovers := []string{"incoming.0192", "m/1/incoming.0193", ".incoming/old"}
	for _, file := range append([]string{".incoming/fresh", "m/1/incoming.0194"}, leftovers...) {
		require.NoError(t, os.WriteFile(inDir(file), []byte("half"), 0o600))
	}
	for _, name := range append([]string{"m/2/segments", "m/2", "m/1/audio.mp3", "m/1"}, leftovers...) {
		require.NoError(t, os.Chtimes(inDir(name), long, long))
	}

	require.NoError(t, blob.RemoveLeftovers(store, now))
	for _, name := range append([]string{"m/2/segments", "m/2"}, leftovers...) {
		require.NoFileExists(t, inDir(name))
		require.NoDirExists(t, inDir(name))
	}
	for _, name := range []string{"m/1/audio.mp3", ".incoming/fresh", "m/1/incoming.0194"} {
		require.FileExists(t, inDir(name))
	}
	require.DirExists(t, inDir("m/3"), "somebody may be about to put something there")
	file, _, err := store.Open(t.Context(), "m/1/audio.mp3")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	keys, err := store.List(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"m/1/audio.mp3"}, keys, "what is not whole is not in the store")
}
