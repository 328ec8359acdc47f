package guard

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Origin is the origin of an address as browsers write it: without a path and a default port.
func Origin(public *url.URL) string {
	scheme := strings.ToLower(public.Scheme)
	return scheme + "://" + withoutDefaultPort(scheme, public.Host)
}

func withoutDefaultPort(scheme, host string) string {
	host = strings.ToLower(host)
	if name, port, err := net.SplitHostPort(host); err == nil && port == map[string]string{"http": "80", "https": "443"}[scheme] {
		host = name
		if strings.Contains(name, ":") {
			host = "[" + name + "]"
		}
	}
	return host
}

// OnlyHost answers requests for another host than the public address's with 421 (RFC 9110, 15.5.20).
// Somebody else may point their domain name at this machine. The product does not answer under that name: pages of the
// name could send its cookies to the product and read the answers. A proxy passes on the Host that browsers send.
func OnlyHost(public *url.URL, next http.Handler) http.Handler {
	scheme := strings.ToLower(public.Scheme)
	own := withoutDefaultPort(scheme, public.Host)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != own && withoutDefaultPort(scheme, r.Host) != own {
			http.Error(w, "Misdirected Request: this is "+own+".", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
