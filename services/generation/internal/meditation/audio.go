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
	m, err := s.audible(ctx, uid, id)
	if err != nil {
		return nil, err
	}
	segment, err := s.Store.Segment(ctx, id, index)
	if err != nil {
		return nil, err
	}
	key, offset := segment.BlobKey, int64(0)
	if m.State == Ready {
		key, offset = m.audioKey(), segment.Offset
	}
	mp3, err := s.read(ctx, key, offset, segment.Bytes)
	if err != nil || m.State == Ready {
		return mp3, err
	}
	// What was cancelled while we read is not given out any more.
	_, err = s.audible(ctx, uid, id)
	return mp3, err
}

// audible answers the owner's meditation of which something may be heard.
func (s *Service) audible(ctx context.Context, uid, id uuid.UUID) (Meditation, error) {
	m, err := s.Store.Get(ctx, uid, id)
	if err == nil && !m.State.Audible() {
		return Meditation{}, ErrNotFound
	}
	return m, err
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
