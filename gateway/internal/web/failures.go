package web

// failureMessages tell a member why a meditation was not made, by generation's reason. The hold
// is released with every failure, so each may promise that no credits were used.
var failureMessages = map[string]string{}

const failureUnknown = "Something went wrong while this meditation was being made. Your credits were not used."

func failureMessage(reason string) string {
	if sentence, ok := failureMessages[reason]; ok {
		return sentence
	}
	return failureUnknown
}
