package flite

import (
	"io"
	"io/fs"

	"github.com/tetratelabs/wazero/experimental/sys"
	wasi "github.com/tetratelabs/wazero/sys"
)

// directory is all the command can see: one file, which it may write. It holds one utterance,
// so nothing is shared between them and nothing touches a disk.
type directory struct {
	sys.UnimplementedFS
	out *file
}

// OpenFile opens the root, or the file in it.
func (d directory) OpenFile(path string, flag sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	switch path {
	case ".", "", "/":
		return root{}, 0
	case outFile:
		d.out.open(flag)
		return d.out, 0
	}
	return nil, sys.ENOENT
}

// Stat answers for the root, which wazero asks for when it opens the mount.
func (d directory) Stat(path string) (wasi.Stat_t, sys.Errno) {
	if path == "." || path == "" || path == "/" {
		return wasi.Stat_t{Mode: fs.ModeDir | 0o700}, 0
	}
	return wasi.Stat_t{}, sys.ENOENT
}

// root is the open directory.
type root struct{ sys.UnimplementedFile }

func (root) IsDir() (bool, sys.Errno)       { return true, 0 }
func (root) Stat() (wasi.Stat_t, sys.Errno) { return wasi.Stat_t{Mode: fs.ModeDir | 0o700}, 0 }
func (root) Close() sys.Errno               { return 0 }

// file is read and written at its place, as the command does when it adds an utterance to what it wrote.
type file struct {
	sys.UnimplementedFile

	bytes []byte
	at    int
}

// maxFile bounds an utterance's speech in bytes: 120 s of 16 kHz samples.
const maxFile = 120 * 16000 * 2

func (f *file) open(flag sys.Oflag) {
	f.at = 0
	if flag&sys.O_TRUNC != 0 {
		f.bytes = f.bytes[:0]
	}
}

func (f *file) Read(p []byte) (int, sys.Errno) {
	n := copy(p, f.bytes[f.at:])
	f.at += n
	return n, 0
}

func (f *file) Write(p []byte) (int, sys.Errno) {
	if f.at+len(p) > maxFile {
		return 0, sys.EIO
	}
	n := copy(f.bytes[f.at:], p)
	f.bytes = append(f.bytes, p[n:]...)
	f.at += len(p)
	return len(p), 0
}

// Seek goes to a place in what was written; there are no holes.
func (f *file) Seek(offset int64, whence int) (int64, sys.Errno) { //nolint:govet // the signature is that of sys.File
	from := map[int]int{io.SeekStart: 0, io.SeekCurrent: f.at, io.SeekEnd: len(f.bytes)}
	base, known := from[whence]
	if to := int64(base) + offset; known && to >= 0 && to <= int64(len(f.bytes)) {
		f.at = int(to)
		return to, 0
	}
	return 0, sys.EINVAL
}

func (f *file) IsDir() (bool, sys.Errno) { return false, 0 }
func (f *file) Stat() (wasi.Stat_t, sys.Errno) {
	return wasi.Stat_t{Mode: 0o600, Size: int64(len(f.bytes))}, 0
}
func (f *file) Close() sys.Errno { return 0 }
