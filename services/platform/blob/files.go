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

	"github.com/google/uuid"
)

// files keeps blobs below one folder; os.Root holds every path inside it.
type files struct{ root *os.Root }

func openFiles(dir string) (*files, error) {
	if dir == "" {
		return nil, errors.New("the blob address names no folder")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &files{root: root}, nil
}

// incoming holds files that are not whole yet.
const incoming = "incoming."

func (f *files) Put(ctx context.Context, key string, r io.Reader, size int64) (err error) {
	if err := errors.Join(checkKey(key), ctx.Err()); err != nil {
		return err
	}
	if err := f.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return err
	}
	part := path.Join(path.Dir(key), incoming+uuid.NewString())
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
	return f.root.Rename(part, key)
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
	err := f.root.Remove(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (f *files) List(_ context.Context, prefix string) ([]string, error) {
	var keys []string
	err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasPrefix(name, prefix) && !strings.HasPrefix(entry.Name(), incoming) {
			keys = append(keys, name)
		}
		return err
	})
	slices.Sort(keys)
	return keys, err
}
