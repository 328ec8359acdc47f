package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// objects keeps blobs in a bucket of any S3-compatible store.
type objects struct {
	client *minio.Client
	bucket string
}

func openS3(u *url.URL) (*objects, error) {
	bucket := strings.Trim(u.Path, "/")
	secret, ok := u.User.Password()
	if bucket == "" || !ok {
		return nil, errors.New("BLOB_URL: want s3://KEY:SECRET@host/bucket")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(u.User.Username(), secret, ""),
		Secure: u.Query().Get("tls") == "true", Region: u.Query().Get("region"),
	})
	if err != nil {
		return nil, fmt.Errorf("blob store: %w", err)
	}
	return &objects{client: client, bucket: bucket}, nil
}

func (o *objects) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if _, err := o.client.PutObject(ctx, o.bucket, key, r, size, minio.PutObjectOptions{}); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return nil
}

func (o *objects) Open(ctx context.Context, key string) (io.ReadSeekCloser, Info, error) {
	if err := checkKey(key); err != nil {
		return nil, Info{}, ErrNotFound.Because(err)
	}
	object, err := o.client.GetObject(ctx, o.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, Info{}, missing(err)
	}
	info, err := object.Stat()
	if err != nil {
		return nil, Info{}, errors.Join(missing(err), object.Close())
	}
	return object, Info{Size: info.Size, Modified: info.LastModified}, nil
}

// Read asks for the object alone: Open asks for its size first.
func (o *objects) Read(ctx context.Context, key string, most int64) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, ErrNotFound.Because(err)
	}
	object, err := o.client.GetObject(ctx, o.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, missing(err)
	}
	data, err := readAtMost(object, most)
	if err != nil {
		return nil, errors.Join(missing(err), object.Close())
	}
	return data, object.Close()
}

func missing(err error) error {
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return ErrNotFound.Because(err)
	}
	return err
}

func (o *objects) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return o.client.RemoveObject(ctx, o.bucket, key, minio.RemoveObjectOptions{})
}

func (o *objects) DeleteFolder(ctx context.Context, folder string) error {
	if err := checkKey(folder); err != nil {
		return err
	}
	// The listing ends with its context, also where deleting has failed in its middle.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	found := o.client.ListObjects(ctx, o.bucket, minio.ListObjectsOptions{Prefix: folder + "/", Recursive: true})
	objects, listing := make(chan minio.ObjectInfo), make(chan error, 1)
	go func() {
		defer close(objects)
		listing <- forward(ctx, found, objects)
	}()
	var err error
	for failed := range o.client.RemoveObjects(ctx, o.bucket, objects, minio.RemoveObjectsOptions{}) {
		err = errors.Join(err, fmt.Errorf("delete %s: %w", failed.ObjectName, failed.Err))
	}
	return errors.Join(err, <-listing)
}

// forward passes on what a listing finds, until it ends or fails.
func forward(ctx context.Context, from <-chan minio.ObjectInfo, to chan<- minio.ObjectInfo) error {
	for object := range from {
		if object.Err != nil {
			return object.Err
		}
		select {
		case to <- object:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

func (o *objects) List(ctx context.Context, prefix string) ([]string, error) {
	var keys []string
	for object := range o.client.ListObjects(ctx, o.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if object.Err != nil {
			return nil, object.Err
		}
		keys = append(keys, object.Key)
	}
	return keys, nil
}
