// Package media serves sound over plain HTTP with ranges: that of meditations to their owner only
// (for everybody else they do not exist), and the shared recordings to everybody.
package media

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/tagged"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
)

// Routes are the patterns to mount, each behind the proof of caller.
func Routes(s *meditation.Service, log *slog.Logger) map[string]http.Handler {
	m := &media{service: s, log: log}
	return map[string]http.Handler{
		"GET /v1/meditations/{id}/audio":            http.HandlerFunc(m.audio),
		"GET /v1/meditations/{id}/download":         http.HandlerFunc(m.download),
		"GET /v1/meditations/{id}/segments/{index}": http.HandlerFunc(m.segment),
	}
}

type media struct {
	service *meditation.Service
	log     *slog.Logger
}

// The media types of what is served.
const (
	soundType = "audio/mpeg"
	wordsType = "text/vtt; charset=utf-8"
)

func (m *media) audio(w http.ResponseWriter, r *http.Request) {
	uid, id, err := owned(r)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	found, file, err := m.service.OpenAudio(r.Context(), uid, id)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	defer func() { _ = file.Close() }()
	blob.Serve(w, r, file, blob.Served{Type: soundType, Caching: blob.Private, Tag: id.String(), ChangedAt: found.CreatedAt})
}

// download answers the recording as a file to keep. Its tag changes with the title, and so the ETag does.
func (m *media) download(w http.ResponseWriter, r *http.Request) {
	uid, id, err := owned(r)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	found, sound, err := m.service.OpenAudio(r.Context(), uid, id)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	defer func() { _ = sound.Close() }()
	size, err := sound.Seek(0, io.SeekEnd)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	head := tagged.Head(tagged.Tags{
		Title: found.Name(), Narrator: found.NarratorName, Made: found.CreatedAt, Length: found.Expected,
	}, size)
	w.Header().Set("Content-Disposition", tagged.Disposition(found.Name()))
	tag := sha256.Sum256(head)
	blob.Serve(w, r, tagged.NewFile(head, sound, size), blob.Served{
		Type: soundType, Caching: blob.Private, Tag: id.String() + "-" + hex.EncodeToString(tag[:8]),
	})
}

func (m *media) segment(w http.ResponseWriter, r *http.Request) {
	index, err := strconv.ParseInt(r.PathValue("index"), 10, 32)
	if err != nil || index < 0 {
		refuse(w, r, m.log, meditation.ErrNotFound)
		return
	}
	uid, id, err := owned(r)
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	mp3, err := m.service.ReadSegment(r.Context(), uid, id, int(index))
	if err != nil {
		refuse(w, r, m.log, err)
		return
	}
	tag := id.String() + "-" + strconv.FormatInt(index, 10)
	blob.Serve(w, r, bytes.NewReader(mp3), blob.Served{Type: soundType, Caching: blob.Private, Tag: tag})
}

// owned is the member who asks and the meditation that is asked for.
func owned(r *http.Request) (uid, id uuid.UUID, err error) {
	if uid, err = auth.MemberID(r.Context()); err != nil {
		return uid, id, err
	}
	id, err = meditation.ParseID(r.PathValue("id"))
	return uid, id, err
}

// serve answers with what open opens.
func serve(w http.ResponseWriter, r *http.Request, log *slog.Logger, open func() (io.ReadSeekCloser, error), as blob.Served) {
	file, err := open()
	if err != nil {
		refuse(w, r, log, err)
		return
	}
	defer func() { _ = file.Close() }()
	blob.Serve(w, r, file, as)
}

// refuse answers a bare status: only the gateway calls these routes, and it speaks to people.
func refuse(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	w.Header().Set("Cache-Control", "no-store")
	switch errs.KindOf(err) {
	case errs.NotFound:
		w.WriteHeader(http.StatusNotFound)
	case errs.Unavailable, errs.DeadlineExceeded:
		log.WarnContext(r.Context(), "sound cannot be read", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		log.ErrorContext(r.Context(), "sound cannot be read", "error", err)
		w.WriteHeader(http.StatusInternalServerError)
	}
}
