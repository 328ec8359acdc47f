module serein.app/deploy/e2e

go 1.26.0

require (
	serein.app/deploy/local v0.0.0
	serein.app/proto/gen v0.0.0
)

replace (
	serein.app/deploy/local => ../local
	serein.app/gateway => ../../gateway
	serein.app/proto/gen => ../../proto/gen
	serein.app/services/billing => ../../services/billing
	serein.app/services/content => ../../services/content
	serein.app/services/generation => ../../services/generation
	serein.app/services/identity => ../../services/identity
	serein.app/services/mail => ../../services/mail
	serein.app/services/platform => ../../services/platform
)
