package rpc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"connectrpc.com/connect"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/errs"
)

// Refusals of requests that no handler sees.
var (
	errEncoding = errs.New(errs.Invalid, errorsv1.Reason_REASON_UNSUPPORTED_MEDIA_TYPE, "That request is packed in a way that is not read here.")
	errTooLarge = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_LARGE, "That’s more than we can take at once.")
)

// gzip is the one encoding of requests that is read, beside none.
const gzip = "gzip"

// Larger are procedures whose requests may have more bytes than MaxMessage, and how many.
type Larger map[string]int

func (l Larger) most(procedure string) int { return max(MaxMessage, l[procedure]) }

func (l Larger) options(spec connect.Spec) []connect.HandlerOption {
	return []connect.HandlerOption{connect.WithReadMaxBytes(l.most(spec.Procedure))}
}

// WellFormed refuses requests whose packing is wrong before connect-go sees them: an encoding that
// is not read (415 where the protocol has a status for it), or a body of gRPC, gRPC-web or a
// Connect stream that is not exactly one message in its frame. Connect-go would call these
// internal or unimplemented, as if the fault were ours, and give no reason. No method here takes
// more than one message. larger is nil where no request may be larger than others.
func WellFormed(next http.Handler, larger Larger) http.Handler {
	writer := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := wellFormed(r, larger.most(r.URL.Path))
		if err == nil {
			next.ServeHTTP(w, r)
			return
		}
		if errors.Is(err, errEncoding) {
			w.Header().Set("Accept-Encoding", gzip)
			w = mediaWriter{w}
		}
		_ = writer.Write(w, r, ToConnect(err)) // fails only where the client has gone
	})
}

func wellFormed(r *http.Request, most int) error {
	kind := strings.ToLower(r.Header.Get("Content-Type"))
	framed, encoding := true, strings.Join(r.Header.Values("Content-Encoding"), ",")
	switch {
	case r.Method != http.MethodPost:
		framed, encoding = false, r.URL.Query().Get("compression")
	case strings.HasPrefix(kind, "application/grpc"):
		encoding = strings.Join(r.Header.Values("Grpc-Encoding"), ",")
	case strings.HasPrefix(kind, "application/connect+"):
		encoding = strings.Join(r.Header.Values("Connect-Content-Encoding"), ",")
	default:
		framed = false
	}
	if encoding != "" && encoding != "identity" && encoding != gzip {
		return errEncoding.Because(fmt.Errorf("the encoding is %.64q", encoding))
	}
	if !framed {
		return nil
	}
	return oneMessage(r, encoding == gzip, most)
}

// framePrefix is a byte of flags and four of length, in gRPC's and Connect's frames alike.
const framePrefix = 5

// oneMessage reads the body, of a message of most bytes, and leaves it to be read again.
func oneMessage(r *http.Request, packed bool, most int) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(framePrefix+most+1)))
	if err != nil {
		return ErrInvalid.Because(fmt.Errorf("the body ends early: %w", err))
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	switch {
	case len(body) > framePrefix+most:
		return errTooLarge
	case len(body) < framePrefix:
		return ErrInvalid.Because(errors.New("the body has no whole frame"))
	case body[0] > 1 || (body[0] == 1 && !packed):
		return ErrInvalid.Because(fmt.Errorf("the frame's flags are %#x", body[0]))
	case uint64(binary.BigEndian.Uint32(body[1:framePrefix])) != uint64(len(body)-framePrefix):
		return ErrInvalid.Because(errors.New("the body is not one frame"))
	}
	return nil
}

// mediaWriter makes a 415 of the status of an invalid argument.
type mediaWriter struct{ http.ResponseWriter }

func (w mediaWriter) WriteHeader(status int) {
	if status == http.StatusBadRequest {
		status = http.StatusUnsupportedMediaType
	}
	w.ResponseWriter.WriteHeader(status)
}
