package flite

import (
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
func (d directory) OpenFile(path string, _ sys.Oflag, _ fs.FileMode) (sys.File, sys.Errno) {
	switch path {
	case ".", "", "/":
		return root{}, 0
	case outFile:
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

// file collects what is written at its end; the command never goes back.
type file struct {
	sys.UnimplementedFile
	bytes []byte
}

// maxFile bounds an utterance's speech in bytes: 120 s of 16 kHz samples.
const maxFile = 120 * 16000 * 2

func (f *file) Write(p []byte) (int, sys.Errno) {
	if len(f.bytes)+len(p) > maxFile {
		return 0, sys.EIO
	}
	f.bytes = append(f.bytes, p...)
	return len(p), 0
}

func (f *file) IsDir() (bool, sys.Errno) { return false, 0 }
func (f *file) Stat() (wasi.Stat_t, sys.Errno) {
	return wasi.Stat_t{Mode: 0o600, Size: int64(len(f.bytes))}, 0
}
func (f *file) Close() sys.Errno { return 0 }
