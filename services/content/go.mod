module serein.app/services/content

go 1.26.0

require (
	serein.app/proto/gen v0.0.0
	serein.app/services/platform v0.0.0
)

replace (
	serein.app/proto/gen => ../../proto/gen
	serein.app/services/platform => ../../services/platform
)
