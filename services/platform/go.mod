module serein.app/services/platform

go 1.26.0

require serein.app/proto/gen v0.0.0

replace serein.app/proto/gen => ../../proto/gen
