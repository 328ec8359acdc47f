package web

import (
	"context"
	"net/http"
	"time"

	"connectrpc.com/connect"

	"serein.app/gateway/internal/session"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/rpc"
)

// size of a call's body: bytes as sent and as unpacked, and how long it may take to arrive.
type size struct {
	bytes  int
	within time.Duration
}

var (
	// upload is a picture or a sound: 10 MiB in base64, which is a third longer, with its neighbours. 2 Mbit/s will do.
	upload = size{14 << 20, 60 * time.Second}
	// text is an editor's: what the content service takes of one.
	text = size{rpc.MaxMessage, 30 * time.Second}
)

// larger are the calls that take more than others.
var larger = map[string]size{
	webv1connect.EditorServiceUploadAssetProcedure: upload,
	webv1connect.EditorServiceCreateItemProcedure:  text,
	webv1connect.EditorServiceUpdateItemProcedure:  text,
	webv1connect.EditorServicePreviewTextProcedure: text,
}

// bodies limits the body of every call before anything else reads it. Large bodies are read from admins alone, so that nobody else can
// fill the memory; for all other callers the usual limit refuses them.
func (s *Screens) bodies(next http.Handler) http.Handler {
	small, large := guard.SmallBodies(next), map[string]http.Handler{}
	for procedure, most := range larger {
		large[procedure] = guard.Bodies(int64(most.bytes), most.within, next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if reads, ok := large[r.URL.Path]; ok && s.isAdmin(r.Context(), r.Header) {
			reads.ServeHTTP(w, r)
			return
		}
		small.ServeHTTP(w, r)
	})
}

func (s *Screens) isAdmin(ctx context.Context, header http.Header) bool {
	signedIn, err := s.Sessions.Check(ctx, session.IDFrom(header))
	return err == nil && s.Roles.Admin(ctx, signedIn.Member.UID) == nil
}

// readLimit bounds what a call unpacks to.
func readLimit(spec connect.Spec) []connect.HandlerOption {
	return []connect.HandlerOption{connect.WithReadMaxBytes(max(guard.MaxBody, larger[spec.Procedure].bytes))}
}
