package narrate

// What tests wait for.
const (
	MostSilent = mostSilent
	FaultRetry = faultRetry
	FetchTime  = fetchTime
)
