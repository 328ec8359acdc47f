module serein.app/services/generation

go 1.26.0

require (
	serein.app/proto/gen v0.0.0
	serein.app/services/platform v0.0.0
)

require (
	golang.org/x/text v0.43.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace (
	serein.app/proto/gen => ../../proto/gen
	serein.app/services/platform => ../../services/platform
)
