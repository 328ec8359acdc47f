package narrate

// What tests wait for.
const (
	MaxSilent  = maxSilent
	FaultRetry = faultRetry
	FetchTime  = fetchTime
)
