package assets_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

var editor = entry.Actor{Name: "amara", Editor: true}

// blobs is a store of which a test says what happens when a file is removed; nil: nothing but that.
type blobs struct {
	blob.Store

	removing func(key string) error
}

func (b *blobs) Delete(ctx context.Context, key string) error {
	if b.removing != nil {
		if err := b.removing(key); err != nil {
			return err
		}
	}
	return b.Store.Delete(ctx, key)
}

// looked is a store of which a test says what happens between a sweep's look at the files and what it does about them.
type looked struct {
	assets.Store

	then func()
}

func (l looked) Stored(ctx context.Context, after string, most int) ([]assets.Stored, error) {
	files, err := l.Store.Stored(ctx, after, most)
	l.then()
	return files, err
}

// harness is a database, a blob store and a clock.
type harness struct {
	testkit.DB

	t      *testing.T
	store  *store.Store
	kept   assets.Store
	blobs  *blobs
	ports  assets.Ports
	files  *assets.Files
	meters *sdkmetric.ManualReader

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T) *harness {
	t.Helper()
	h := &harness{t: t, DB: testkit.Postgres(t, "content", store.Migrate), now: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC), meters: sdkmetric.NewManualReader()}
	stores := store.Open(h.Pool, outbox.New(h.Pool, nil, "content", testkit.Logger(t), h.clock), h.clock)
	h.store, h.kept = stores.Entries, stores.Assets
	disk, err := blob.Open("file://" + t.TempDir())
	require.NoError(t, err)
	h.blobs = &blobs{Store: disk}
	h.ports = assets.Ports{
		Store: h.kept, Blobs: h.blobs, Now: h.clock, Log: testkit.Logger(t),
		Lead: func(ctx context.Context, work func(context.Context) error) error { return work(ctx) },
	}
	h.files = h.with(h.ports)
	return h
}

func (h *harness) with(p assets.Ports) *assets.Files {
	h.t.Helper()
	files, err := assets.NewFiles(p, sdkmetric.NewMeterProvider(sdkmetric.WithReader(h.meters)).Meter("serein/content"))
	require.NoError(h.t, err)
	return files
}

func (h *harness) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *harness) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// sound is an MP3 of one frame, of 417 bytes.
func sound(name string) []byte {
	frame := make([]byte, 417)
	copy(frame, "\xff\xfb\x90\x64"+name)
	return frame
}

// keep keeps the sound of that name.
func (h *harness) keep(name string) entry.File {
	h.t.Helper()
	f, err := h.files.Keep(h.t.Context(), name, sound(name))
	require.NoError(h.t, err)
	return f
}

func asset(environment, id string) entry.Key {
	return entry.Key{Environment: environment, Kind: entry.KindAsset, ID: id}
}

// upload makes a draft of an asset of a kept file.
func (h *harness) upload(id string) entry.Item {
	h.t.Helper()
	fields := entry.Fields{"title": {"en-GB": id}, "file": {"en-GB": h.keep(id).Value()}}
	item, err := h.store.Create(h.t.Context(), editor, asset(entry.Master, id), "", entry.Draft{Fields: fields})
	require.NoError(h.t, err)
	return item
}

// there says whether the blob store has the sound of that name, and it is whole.
func (h *harness) there(name string) bool {
	h.t.Helper()
	f, _, err := assets.Make(h.t.Context(), name, sound(name))
	require.NoError(h.t, err)
	hash, file, _ := entry.AssetOf(f.URL)
	kept, _, err := h.blobs.Open(h.t.Context(), assets.Key(hash, file))
	if errors.Is(err, blob.ErrNotFound) {
		return false
	}
	require.NoError(h.t, err)
	defer func() { _ = kept.Close() }()
	content, err := io.ReadAll(kept)
	require.NoError(h.t, err)
	require.Equal(h.t, sound(name), content)
	return true
}

// sweep sweeps, lets a time pass and sweeps again.
func (h *harness) sweep(after time.Duration) {
	h.t.Helper()
	require.NoError(h.t, h.files.Sweep(h.t.Context()))
	h.pass(after)
	require.NoError(h.t, h.files.Sweep(h.t.Context()))
}

func TestAFileIsKeptUnderItsHash(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for range 2 {
		h.keep("bell")
		require.True(t, h.there("bell"))
	}
	keys, err := h.blobs.List(t.Context(), "assets/")
	require.NoError(t, err)
	require.Len(t, keys, 1)
}

func TestAFileThatNoAssetNamesIsShownForAMonthAndThenGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	item := h.upload("gong")
	h.keep("never-made-an-asset")
	h.sweep(assets.KeptUnnamed)
	require.True(t, h.there("gong"))
	require.False(t, h.there("never-made-an-asset"))

	require.NoError(t, h.store.Delete(t.Context(), editor, item.Key, item.Version))
	h.sweep(assets.KeptUnnamed - time.Second)
	require.True(t, h.there("gong"), "pages that are open show it still")
	h.sweep(time.Second)
	require.False(t, h.there("gong"))
	require.Equal(t, 2, testkit.Retain(t, h.Pool, store.Retention(), h.clock()), "its row goes too")

	h.upload("gong")
	require.True(t, h.there("gong"), "and it can be sent again")
}

func TestAFileStaysForDraftsTheArchiveReadersAndOtherEnvironments(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx := t.Context()
	h.upload("draft")
	archived, shown, copied := h.upload("archived"), h.upload("shown"), h.upload("copied")
	_, err := h.store.Archive(ctx, editor, archived.Key, archived.Version)
	require.NoError(t, err)
	_, err = h.store.Publish(ctx, editor, shown.Key, shown.Version)
	require.NoError(t, err)
	_, err = h.store.CreateEnvironment(ctx, editor, "try")
	require.NoError(t, err)
	require.NoError(t, h.store.Delete(ctx, editor, copied.Key, copied.Version))
	// What readers have is what the draft was when it was published.
	_, err = h.Pool.Exec(ctx, "UPDATE items SET fields = '{}' WHERE environment = 'master' AND id = 'shown'")
	require.NoError(t, err)
	h.sweep(assets.KeptUnnamed)
	for _, name := range []string{"draft", "archived", "shown", "copied"} {
		require.True(t, h.there(name), name)
	}

	require.NoError(t, h.store.DeleteEnvironment(ctx, editor, "try"))
	h.sweep(assets.KeptUnnamed)
	require.False(t, h.there("copied"), "nobody has it any more")
	require.True(t, h.there("draft"))
}

func TestAFileThatIsNamedAgainIsKeptForAnotherMonth(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.keep("bell")
	h.sweep(assets.KeptUnnamed - time.Second)
	item := h.upload("bell")
	h.sweep(time.Hour)
	require.NoError(t, h.store.Delete(t.Context(), editor, item.Key, item.Version))
	h.sweep(assets.KeptUnnamed - time.Second)
	require.True(t, h.there("bell"))
}

func TestAFileOfBeforeThereWasBookkeepingGoesAfterAMonth(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.upload("gong")
	h.keep("old")
	_, err := h.Pool.Exec(t.Context(), "DELETE FROM asset_files")
	require.NoError(t, err)
	h.sweep(assets.KeptUnnamed)
	require.False(t, h.there("old"))
	require.True(t, h.there("gong"))
}

func TestWhoSendsTheSameFileAfterASweepHasLookedAtItKeepsIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.keep("bell")
	h.sweep(assets.KeptUnnamed - time.Second)
	h.pass(time.Second)
	ports := h.ports
	ports.Store = looked{h.kept, func() { h.upload("bell") }}
	require.NoError(t, h.with(ports).Sweep(t.Context()))
	require.True(t, h.there("bell"))
}

func TestWhoSendsTheSameFileWhileItIsRemovedIsRefusedAndNeverToldThatItIsThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.keep("bell")
	h.sweep(assets.KeptUnnamed - time.Second)
	h.pass(time.Second)
	h.blobs.removing = func(string) error {
		_, err := h.files.Keep(t.Context(), "bell", sound("bell"))
		require.ErrorIs(t, err, assets.ErrRemoving)
		return nil
	}
	require.NoError(t, h.files.Sweep(t.Context()))
	require.False(t, h.there("bell"))
	h.upload("bell")
	require.True(t, h.there("bell"))
}

func TestWhatIsKeptWhileSweepsGoOnIsThere(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const rounds = 100
	for i := range rounds {
		h.keep(fmt.Sprint("sound-", i))
	}
	h.sweep(assets.KeptUnnamed - time.Second)
	h.pass(time.Second)
	var both sync.WaitGroup
	both.Go(func() {
		for i := range rounds {
			name := fmt.Sprint("sound-", i)
			for {
				_, err := h.files.Keep(t.Context(), name, sound(name))
				if !errors.Is(err, assets.ErrRemoving) {
					break
				}
			}
		}
	})
	both.Go(func() { _ = h.files.Sweep(t.Context()) })
	both.Wait()
	for i := range rounds {
		require.True(t, h.there(fmt.Sprint("sound-", i)), i)
	}
}

func TestAFileThatCannotBeRemovedIsCountedTriedAgainAndKeepsNoOther(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.keep("one")
	h.keep("two")
	h.sweep(assets.KeptUnnamed - time.Second)
	h.pass(time.Second)
	broken, tries := errors.New("the disk is broken"), 0
	h.blobs.removing = func(string) error {
		if tries++; tries == 1 {
			return broken
		}
		return nil
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.files.Run(ctx) }()
	require.Eventually(t, func() bool {
		return testkit.Metric(t, h.meters, "serein.content.assets.failures") == 1
	}, testkit.Patience, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
	require.NotEqual(t, h.there("one"), h.there("two"), "the other is gone")
	require.NoError(t, h.files.Sweep(t.Context()))
	require.False(t, h.there("one") || h.there("two"), "a process that dies over it does not keep it either")
}
