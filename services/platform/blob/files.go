package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// files keeps blobs below one folder; os.Root holds every path inside it.
type files struct{ root *os.Root }

func openFiles(dir string) (*files, error) {
	if dir == "" {
		return nil, errors.New("BLOB_URL: want the path of a folder behind file://")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &files{root: root}, root.MkdirAll(incoming, 0o700)
}

// incoming is the folder of files that are not whole yet; no key can name it. Before there was the folder,
// they lay beside the file to be, under incomingBefore.
const (
	incoming       = ".incoming"
	incomingBefore = "incoming."
)

// leftoverAge of a file that is not whole, or of a folder without a file: nobody writes that long, so its process
// has died.
const leftoverAge = time.Hour

// removeLeftovers removes what was not finished before that time, and the folders that have
// been empty since.
func (f *files) removeLeftovers(before time.Time) error {
	var faults []error
	var folders []string
	err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." || name == incoming {
			return gone(err)
		}
		part := path.Dir(name) == incoming || strings.HasPrefix(entry.Name(), incomingBefore)
		if !entry.IsDir() && !part {
			return nil
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return gone(err)
		case !info.ModTime().Before(before):
		case entry.IsDir():
			folders = append(folders, name)
		default:
			faults = append(faults, gone(f.root.Remove(name)))
		}
		return nil
	})
	for _, folder := range slices.Backward(folders) { // those within come first
		f.removeEmpty(folder)
	}
	return errors.Join(append(faults, err)...)
}

// gone is no error where another process was faster.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (f *files) Put(ctx context.Context, key string, r io.Reader, size int64) (err error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	part := path.Join(incoming, uuid.NewString())
	out, err := f.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.root.Remove(part)
		}
	}()
	if _, err = io.CopyN(out, r, size); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	// A file that is announced must survive a power cut: sync before the name is given.
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return f.rename(ctx, part, key)
}

// rename gives a whole file its name. A Delete of the last other file in the folder removes the folder as well, at any
// moment, so rename makes the folder again until the file is in it, the context ends, or the part itself is gone.
func (f *files) rename(ctx context.Context, part, key string) error {
	for {
		err := f.root.MkdirAll(path.Dir(key), 0o700)
		if err == nil || errors.Is(err, fs.ErrExist) { // os.Root says that of a folder which two make at once
			err = f.root.Rename(part, key)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if _, lost := f.root.Lstat(part); lost != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

func (f *files) Open(_ context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := checkKey(key); err != nil {
		return nil, Info{}, ErrNotFound.Because(err)
	}
	file, err := f.root.Open(key)
	if err != nil {
		return nil, Info{}, absent(err)
	}
	info, err := file.Stat()
	if err != nil || info.IsDir() {
		return nil, Info{}, errors.Join(ErrNotFound.Because(err), file.Close())
	}
	return file, Info{Size: info.Size(), Modified: info.ModTime()}, nil
}

func (f *files) Read(ctx context.Context, key string, most int64) ([]byte, error) {
	file, _, err := f.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	data, err := readAtMost(file, most)
	return data, errors.Join(err, file.Close())
}

func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // the second is below a file
		return ErrNotFound.Because(err)
	}
	return err
}

func (f *files) Delete(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.removeEmpty(path.Dir(key))
	return nil
}

// removeEmpty removes a folder and those above it as far as nothing is in them; removing others fails.
func (f *files) removeEmpty(folder string) {
	for ; folder != "."; folder = path.Dir(folder) {
		if f.root.Remove(folder) != nil {
			return
		}
	}
}

func (f *files) DeleteFolder(_ context.Context, folder string) error {
	if err := checkKey(folder); err != nil {
		return err
	}
	if info, err := f.root.Stat(folder); err != nil || !info.IsDir() {
		return notDir(err)
	}
	if err := f.root.RemoveAll(folder); err != nil {
		return err
	}
	f.removeEmpty(path.Dir(folder))
	return nil
}

// notDir is no error where there is no such folder.
func notDir(err error) error {
	if errors.Is(absent(err), ErrNotFound) {
		return nil
	}
	return err
}

func (f *files) List(_ context.Context, prefix string) ([]string, error) {
	folder := "."
	if at := strings.LastIndexByte(prefix, '/'); at > 0 {
		folder = prefix[:at]
	}
	if !fs.ValidPath(folder) {
		return nil, nil
	}
	var keys []string
	err := fs.WalkDir(f.root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was deleted meanwhile, or never there
			return nil
		case err != nil:
			return err
		case entry.IsDir() && name == incoming:
			return fs.SkipDir
		case !entry.IsDir() && strings.HasPrefix(name, prefix) && !strings.HasPrefix(entry.Name(), incomingBefore):
			keys = append(keys, name)
		}
		return nil
	})
	slices.Sort(keys)
	return keys, err
}
