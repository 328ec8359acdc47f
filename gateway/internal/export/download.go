package export

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/uid"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

var errGone = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDIA_NOT_FOUND, "That link has been used, or its day is over. The Members Area makes a new one.")

// Download answers GET of Path: once, and to the member of the link alone. Where the copy cannot be made the link stays good.
func (e *Exports) Download(w http.ResponseWriter, r *http.Request) {
	signedIn, err := e.Sessions.Check(r.Context(), session.IDFrom(r.Header))
	if err != nil {
		guard.Refuse(w, r, err)
		return
	}
	id := r.PathValue("id")
	if r.Method != http.MethodGet || !uid.IsCanonical(id) { // a look at the headers is no download
		guard.Refuse(w, r, errGone)
		return
	}
	release, err := e.slot(r.Context())
	if err != nil {
		return // who asked has gone
	}
	defer release()
	ctx := auth.WithMember(r.Context(), signedIn.Member.UID)
	all, err := e.gather(ctx, signedIn.Member.UID, signedIn.SID)
	if err != nil {
		e.Log.WarnContext(ctx, "no copy was made", "error", err)
		guard.Refuse(w, r, errs.ErrUnavailable)
		return
	}
	switch is, err := e.take(ctx, signedIn.Member.UID, id); {
	case err != nil:
		guard.Refuse(w, r, errs.ErrUnavailable.Because(err))
	case !is:
		guard.Refuse(w, r, errGone)
	default:
		e.send(ctx, w, all)
	}
}

func (e *Exports) send(ctx context.Context, w http.ResponseWriter, all *archive) {
	size, err := all.size()
	if err != nil {
		panic(err) // it was written to memory
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": all.fileName()}))
	if size > 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	err = all.write(w, func(to io.Writer, m *meditation) error { return e.copySound(ctx, to, m) })
	if err == nil {
		return
	}
	if ctx.Err() == nil {
		e.Log.WarnContext(ctx, "a copy was cut short", "error", err)
	}
	panic(http.ErrAbortHandler) // so that the browser does not take what came for the whole
}

func (e *Exports) copySound(ctx context.Context, to io.Writer, m *meditation) error {
	res, err := e.sound(ctx, http.MethodGet, m)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK || res.ContentLength != m.bytes {
		return fmt.Errorf("the sound of %s changed meanwhile: %s, %d bytes", m.GetId(), res.Status, res.ContentLength)
	}
	_, err = io.Copy(to, res.Body)
	return err
}
