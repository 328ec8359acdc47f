module serein.app/deploy/local

go 1.26.0

require (
	serein.app/gateway v0.0.0
	serein.app/proto/gen v0.0.0
	serein.app/services/billing v0.0.0
	serein.app/services/content v0.0.0
	serein.app/services/generation v0.0.0
	serein.app/services/identity v0.0.0
	serein.app/services/mail v0.0.0
	serein.app/services/platform v0.0.0
)

replace (
	serein.app/gateway => ../../gateway
	serein.app/proto/gen => ../../proto/gen
	serein.app/services/billing => ../../services/billing
	serein.app/services/content => ../../services/content
	serein.app/services/generation => ../../services/generation
	serein.app/services/identity => ../../services/identity
	serein.app/services/mail => ../../services/mail
	serein.app/services/platform => ../../services/platform
)

require (
	github.com/alicebob/miniredis/v2 v2.40.0
	github.com/emersion/go-message v0.18.2
	github.com/emersion/go-smtp v0.25.1
	github.com/google/uuid v1.6.0
	github.com/jackc/pgx/v5 v5.12.0
	github.com/nats-io/nats-server/v2 v2.15.2
)
