package gateway

import (
	"net/http"

	"serein.app/services/platform/guard"
)

// The product plays audio, keeps the screen awake while it does, and copies links. It
// asks for nothing else a browser could give.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
	"magnetometer=(), microphone=(), midi=(), payment=(), usb=(), " +
	"autoplay=(self), clipboard-write=(self), fullscreen=(self), screen-wake-lock=(self)"

// securityHeaders stand on every answer. Handlers that know better replace a value: pages their
// Content-Security-Policy, assets and audio their Cache-Control, the sign-in routes their
// Cross-Origin-Opener-Policy.
func securityHeaders(secure bool) http.Header {
	h := http.Header{}
	h.Set("Content-Security-Policy", guard.Nothing)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	// Pages may open the sign-in popup and still learn when it closes.
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Origin-Agent-Cluster", "?1")
	h.Set("Cache-Control", "no-store")
	if secure {
		h.Set("Strict-Transport-Security", guard.Transport)
	}
	return h
}
