package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"serein.app/gateway/internal/session"
	"serein.app/gateway/internal/uid"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
)

// Limit is how often a member may download. The limit of MakeExport does not count that: who breaks off before the first byte has a
// copy gathered each time, and the link stays good.
var Limit = guard.Limit{Name: "export-download", Count: 6, Per: time.Hour, Burst: 3}

// A download ends after sendTime and what its sound takes at the leastRate, in bytes a second: half an hour, and two and a quarter of
// each GiB. Without an end a reader of a byte now and then holds a copy in memory for days.
const (
	sendTime  = 30 * time.Minute
	leastRate = 128 << 10
)

var (
	errGone     = errs.New(errs.NotFound, errorsv1.Reason_REASON_MEDIA_NOT_FOUND, "That link has been used, or its day is over. The Members Area makes a new one.")
	errOnItsWay = errs.New(errs.Exhausted, errorsv1.Reason_REASON_TOO_MANY_REQUESTS, "Your copy is on its way already. Please let that download finish first.")
)

// Download answers GET of Path: once, and to the member of the link alone; a member downloads one copy at a time. Where the copy cannot be
// made the link stays good.
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
	ctx, uid := auth.WithMember(r.Context(), signedIn.Member.UID), signedIn.Member.UID
	if _, sending := e.sending.LoadOrStore(uid, true); sending {
		guard.Refuse(w, r, errOnItsWay)
		return
	}
	defer e.sending.Delete(uid)
	all, err := e.use(ctx, uid, signedIn.SID, id)
	if err != nil {
		e.Security.Refused(ctx, err, seclog.Event{UID: uid, Address: guard.Address(ctx), Procedure: Path})
		guard.Refuse(w, r, err)
		return
	}
	e.send(ctx, w, all)
}

// use makes the copy that a link leads to, and uses the link up. Errors: errGone; guard.ErrTooMany; UNAVAILABLE where there is no copy.
func (e *Exports) use(ctx context.Context, uid, sid, id string) (*archive, error) {
	if is, err := e.leads(ctx, uid, id); err != nil || !is { // before anything is gathered
		return nil, cmp.Or[error](err, errGone)
	}
	if err := e.Limit.Allow(ctx, uid); err != nil {
		return nil, err
	}
	all, err := e.copyOf(ctx, uid, sid)
	if err != nil {
		e.Log.WarnContext(ctx, "no copy was made", "error", err)
		return nil, errs.ErrUnavailable
	}
	if is, err := e.take(ctx, uid, id); err != nil || !is {
		return nil, cmp.Or[error](err, errGone)
	}
	return all, nil
}

func (e *Exports) send(ctx context.Context, w http.ResponseWriter, all *archive) {
	ctx, end := context.WithTimeout(ctx, all.sendTime())
	defer end()
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
	err = all.write(untilDone{ctx, w}, func(to io.Writer, m *meditation) error { return e.copySound(ctx, to, m) })
	if err == nil {
		return
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // who reads is still there
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

// untilDone writes until its context is done.
type untilDone struct {
	ctx context.Context //nolint:containedctx // a writer has no other way to get it
	to  io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.to.Write(p)
}
