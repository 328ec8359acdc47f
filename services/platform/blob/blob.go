// Package blob keeps files under keys: on a disk or in an S3-compatible store. Keys are
// slash-separated names made by the services, never by a browser.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"time"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// ErrNotFound says that there is nothing under the key.
var ErrNotFound = errs.New(errs.NotFound, errorsv1.Reason_REASON_BLOB_NOT_FOUND, "There is no such file.")

// Info describes a stored file.
type Info struct {
	Size     int64
	Modified time.Time
}

// Store keeps files. Put replaces at once: a reader sees the old file or the new one whole.
type Store interface {
	// Put stores the next size bytes of r; where there are fewer it stores nothing.
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	// Open gives the file for reading and seeking; ErrNotFound.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)
	// Read gives a small file whole, in one round trip, or an error where it has more than most bytes; ErrNotFound.
	Read(ctx context.Context, key string, most int64) ([]byte, error)
	// Delete forgets the file; deleting what is not there is no error.
	Delete(ctx context.Context, key string) error
	// DeleteFolder forgets all files whose keys begin with folder and a slash, and what unfinished Puts left there.
	DeleteFolder(ctx context.Context, folder string) error
	// List gives the keys that start with prefix, sorted. It costs what lies in the folder that prefix names.
	List(ctx context.Context, prefix string) ([]string, error)
}

// Open opens the store at an address: "file:///folder", or
// "s3://KEY:SECRET@host:9000/bucket?tls=true&region=eu-north-1".
func Open(address string) (Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		// The parse error would repeat the address, with the secret in it.
		return nil, errors.New("BLOB_URL: want an address such as file:///folder or s3://KEY:SECRET@host/bucket")
	}
	switch u.Scheme {
	case "file":
		return openFiles(u.Path)
	case "s3":
		return openS3(u)
	}
	return nil, fmt.Errorf("BLOB_URL: want file or s3 for its scheme, not %q", u.Scheme)
}

// readAtMost reads what there is, which is an error where it is more than most bytes.
func readAtMost(file io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("a file of more than %d bytes", most)
	}
	return data, err
}

// maxKey is the longest key, in bytes: S3's own limit is 1,024.
const maxKey = 512

// keyPattern: names between slashes, each as long as Linux's file names may be (NAME_MAX, 255 bytes).
var keyPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,254}(/[A-Za-z0-9][A-Za-z0-9._-]{0,254})*$`)

// checkKey refuses keys that could leave the store or mean something else elsewhere.
func checkKey(key string) error {
	if len(key) > maxKey || !keyPattern.MatchString(key) || strings.Contains(key, "..") {
		return fmt.Errorf("blob key %q is not valid", key)
	}
	return nil
}
