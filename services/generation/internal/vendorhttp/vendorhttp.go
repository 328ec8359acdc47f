// Package vendorhttp has what the HTTP clients of outside writers and narrators share: how they connect, which address of a server of the
// operator's they take, and how long a vendor asks them to wait. It knows no vendor.
package vendorhttp

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// handshakeTime is how long a vendor may take to begin TLS, idleTime how long an unused connection is kept.
	handshakeTime = 5 * time.Second
	idleTime      = time.Minute
	// maxHeader bounds the header of an answer, in bytes.
	maxHeader = 64 << 10
)

// Transport keeps that many unused connections to a vendor. A request's context bounds its time, and the caller the size of the answer.
func Transport(connections int) *http.Transport {
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: connections, IdleConnTimeout: idleTime, TLSHandshakeTimeout: handshakeTime,
		MaxResponseHeaderBytes: maxHeader, DisableCompression: true, ForceAttemptHTTP2: true,
	}
}

// RetryAfter is how long an answer asks to wait: seconds, or a date (RFC 9110, 10.2.3); 0 where it does not say.
func RetryAfter(header http.Header) time.Duration {
	given := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(given, 64); err == nil && seconds > 0 {
		const longest = 1 << 20 // beyond any deadline
		return time.Duration(min(seconds, longest) * float64(time.Second))
	}
	if at, err := http.ParseTime(given); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// CheckURL takes the address of a server of the operator's, for example one in the same cluster: http or https, without a query.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("want http:// or https://, a host and a path")
	}
	return nil
}

// Host is the host's name of an address, without its port; empty for what is no address.
func Host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// Inside says that an address leads to a host in the cluster or in a private network, by its form alone: a name without a dot, a name
// that ends with .svc, .local, .internal or .localhost, or an IP address of loopback, of a private network or of the link.
func Inside(raw string) bool {
	host := strings.TrimSuffix(Host(raw), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	if host == "" || !strings.Contains(host, ".") {
		return host != ""
	}
	for _, end := range []string{".svc", ".local", ".internal", ".localhost"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}
