package meditation

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"serein.app/services/platform/errs"
)

// OpenAudio opens the whole recording of the owner's meditation. Until it is ready it does not exist.
func (s *Service) OpenAudio(ctx context.Context, uid, id uuid.UUID) (Meditation, io.ReadSeekCloser, error) {
	m, err := s.Store.Get(ctx, uid, id)
	if err != nil {
		return Meditation{}, nil, err
	}
	if m.State != Ready {
		return Meditation{}, nil, ErrNotFound
	}
	file, err := s.openWhole(ctx, m)
	return m, file, err
}

func (s *Service) openWhole(ctx context.Context, m Meditation) (io.ReadSeekCloser, error) {
	file, _, err := s.Blobs.Open(ctx, m.audioKey())
	if err != nil {
		return nil, fmt.Errorf("audio of %s: %w", m.ID, err)
	}
	return file, nil
}

// ReadSegment answers the bytes of one segment: at most a minute of sound, some hundred KiB.
func (s *Service) ReadSegment(ctx context.Context, uid, id uuid.UUID, index int) ([]byte, error) {
	mp3, err := s.readSegment(ctx, uid, id, index)
	if err != nil && errs.KindOf(err) == errs.NotFound && !errors.Is(err, ErrNotFound) {
		// The file was joined and tidied between our look at the row and at the blob: look again.
		return s.readSegment(ctx, uid, id, index)
	}
	return mp3, err
}

func (s *Service) readSegment(ctx context.Context, uid, id uuid.UUID, index int) ([]byte, error) {
	sound, err := s.segmentSound(ctx, uid, id, index)
	if err != nil {
		return nil, err
	}
	if sound.State == Ready {
		return s.read(ctx, Meditation{ID: id}.audioKey(), sound.Offset, sound.Bytes)
	}
	mp3, err := s.read(ctx, sound.BlobKey, 0, sound.Bytes)
	if err != nil {
		return nil, err
	}
	// The member may have cancelled the work while the file was read. What is ready can no longer be cancelled.
	if _, err := s.segmentSound(ctx, uid, id, index); err != nil {
		return nil, err
	}
	return mp3, nil
}

// SegmentSound is where the bytes of a segment lie: in the file BlobKey while the work runs, and from Offset on in the whole recording
// once the meditation is Ready.
type SegmentSound struct {
	// State of the meditation.
	State         State
	BlobKey       string
	Offset, Bytes int64
}

// segmentSound answers where a segment lies that may be heard.
func (s *Service) segmentSound(ctx context.Context, uid, id uuid.UUID, index int) (SegmentSound, error) {
	sound, err := s.Store.SegmentSound(ctx, uid, id, index)
	if err == nil && !sound.State.Audible() {
		err = ErrNotFound
	}
	return sound, err
}

func (s *Service) read(ctx context.Context, key string, offset, size int64) (mp3 []byte, err error) {
	file, _, err := s.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	mp3 = make([]byte, size)
	_, err = io.ReadFull(file, mp3)
	return mp3, err
}
