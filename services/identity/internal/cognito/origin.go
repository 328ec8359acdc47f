package cognito

import (
	"net/http"
	"slices"
)

// What the SDK for browsers sends and reads beside the headers that every page may.
const (
	browserSends = "content-type, x-amz-target, x-amz-user-agent, amz-sdk-invocation-id, amz-sdk-request"
	browserReads = "x-amzn-requestid, x-amzn-errortype, x-amzn-errormessage, retry-after"
)

// allowOrigin lets pages of the named sites read the answer, and no others: with every site allowed, any page
// could have its visitors guess passwords, each from an address of their own. Cookies count for nothing
// here, so none are allowed.
func (h *Handler) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !slices.Contains(h.cfg.Origins, origin) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Expose-Headers", browserReads)
	return true
}

// preflight says to a browser what a page may send. The content type alone makes every browser ask.
func (h *Handler) preflight(w http.ResponseWriter, r *http.Request) {
	if h.allowOrigin(w, r) {
		w.Header().Set("Access-Control-Allow-Methods", http.MethodPost)
		w.Header().Set("Access-Control-Allow-Headers", browserSends)
		w.Header().Set("Access-Control-Max-Age", "600")
	}
	w.WriteHeader(http.StatusNoContent)
}
