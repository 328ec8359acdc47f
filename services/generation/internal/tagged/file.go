package tagged

import (
	"errors"
	"io"
)

// File reads a head and then the sound of another file, as one. Its size is the sum of both. It is for one reader at a time.
type File struct {
	head  []byte
	sound io.ReadSeeker
	size  int64 // of the sound
	at    int64 // of the next byte
	moved bool  // the sound is not at the place that follows from at
}

// NewFile puts a head before a sound of that many bytes. The caller closes the sound.
func NewFile(head []byte, sound io.ReadSeeker, size int64) *File {
	return &File{head: head, sound: sound, size: size, moved: true}
}

// Read reads from the head, or from the sound.
func (f *File) Read(p []byte) (int, error) {
	if before := int64(len(f.head)); f.at < before {
		n := copy(p, f.head[f.at:])
		f.at, f.moved = f.at+int64(n), true
		return n, nil
	} else if f.moved {
		if _, err := f.sound.Seek(f.at-before, io.SeekStart); err != nil {
			return 0, err
		}
		f.moved = false
	}
	n, err := f.sound.Read(p)
	f.at += int64(n)
	return n, err
}

var errBefore = errors.New("tagged: a place before the beginning")

// Seek moves to a place of the whole.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += int64(len(f.head)) + f.size
	}
	if offset < 0 {
		return 0, errBefore
	}
	f.at, f.moved = offset, true
	return offset, nil
}
