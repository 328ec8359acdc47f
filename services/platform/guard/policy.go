package guard

import "net/http"

// Transport is how long browsers reach us by TLS alone: two years, the least that their preload lists take.
const Transport = "max-age=63072000; includeSubDomains"

// Nothing is the content security policy of what is no page of ours: should a browser ever take it for a document, it may do nothing and
// stand in no frame.
const Nothing = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// NoPage marks an answer that is no page of ours, and is reached by TLS alone (ASVS 5.0, V3.4.1, V3.4.3, V3.4.6).
func NoPage(h http.Header) {
	h.Set("Content-Security-Policy", Nothing)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Strict-Transport-Security", Transport)
}
