package generation

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// Recorder, row, blob and reader agree about every segment, while the recording is made and when
// it is finished.
func TestASegmentIsAnsweredAsItWasRecorded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(2)
	h.recorder.hook(g.before)
	p := h.start(1, time.Minute)
	uid := h.member(8)
	m := h.create(p, uid)
	<-g.arrived
	check := func(want int) {
		_, segments, err := p.Get(t.Context(), uid, m.ID)
		require.NoError(t, err)
		require.Len(t, segments, want)
		offset := int64(0)
		for i, s := range segments {
			recorded := segment(i)
			recorded.BlobKey, recorded.Offset, recorded.Bytes = s.BlobKey, offset, int64(len(sound(m.ID.String(), i)))
			require.Equal(t, recorded, s)
			offset += s.Bytes
			mp3, err := p.ReadSegment(t.Context(), uid, m.ID, i)
			require.NoError(t, err)
			require.Equal(t, sound(m.ID.String(), i), mp3)
		}
		_, err = p.ReadSegment(t.Context(), uid, m.ID, want)
		require.ErrorIs(t, err, meditation.ErrNotFound, "what is not recorded yet does not exist")
	}
	check(2)
	close(g.open)
	h.ended(p, uid, m.ID)
	check(passages)
	require.NoError(t, p.Sweep(t.Context()))
	check(passages)
}

// unreliableBlobs fails the first left calls of the kind that refuses names.
type unreliableBlobs struct {
	blob.Store
	refuses string
	left    int
}

var errDisk = errors.New("the disk is full")

func (b *unreliableBlobs) refuse(call string) error {
	if call != b.refuses || b.left == 0 {
		return nil
	}
	b.left--
	return errDisk
}

func (b *unreliableBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := b.refuse("put"); err != nil {
		return err
	}
	return b.Store.Put(ctx, key, r, size)
}

func (b *unreliableBlobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	if err := b.refuse("open"); err != nil {
		return nil, blob.Info{}, err
	}
	return b.Store.Open(ctx, key)
}

func (b *unreliableBlobs) DeleteFolder(ctx context.Context, folder string) error {
	if err := b.refuse("delete"); err != nil {
		return err
	}
	return b.Store.DeleteFolder(ctx, folder)
}

// A segment that cannot be stored, or cannot be read when the file is joined, is a setback.
func TestWorkGoesOnWhenTheBlobStoreAnswersAgain(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"put", "open"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			p := h.start(1, time.Minute, func(ports *meditation.Ports) {
				ports.Blobs = &unreliableBlobs{Store: ports.Blobs, refuses: call, left: 2}
			})
			uid := h.member(8)
			m := h.create(p, uid)
			require.Equal(t, meditation.Ready, h.ended(p, uid, m.ID).State)
			require.Equal(t, wholeSound(m.ID.String()), h.audio(h.start(0, time.Minute), uid, m.ID))
			require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
		})
	}
}

// Blobs that could not be deleted are not forgotten.
func TestWhatCouldNotBeTidiedIsTidiedLater(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(8)
	working := h.start(1, time.Minute)
	m := h.create(working, uid)
	h.ended(working, uid, m.ID)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Blobs = &unreliableBlobs{Store: ports.Blobs, refuses: "delete", left: 1}
	})
	require.ErrorIs(t, p.Sweep(t.Context()), errDisk)
	h.exec(`UPDATE meditations SET next_try_at = now()`)
	require.NoError(t, p.Sweep(t.Context()))
	keys, err := h.blobs.List(t.Context(), "meditations/")
	require.NoError(t, err)
	require.Equal(t, []string{"meditations/" + m.ID.String() + "/audio.mp3"}, keys)
	require.Equal(t, wholeSound(m.ID.String()), h.audio(p, uid, m.ID))
}
