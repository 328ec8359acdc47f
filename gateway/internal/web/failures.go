package web

import "fmt"

// failureMessages tell a member why a meditation was not made, by generation's reason. The hold
// is released with every failure, so each may promise that no credits were used.
var failureMessages = map[string]string{
	"timed_out":        "This meditation took too long to make, so we stopped. Your credits weren’t used.",
	"too_busy":         "We were too busy to make this meditation in time, so we didn’t begin. Your credits weren’t used.",
	"writing_failed":   "We couldn’t write this meditation. Your credits weren’t used; please try again.",
	"narration_failed": "We couldn’t narrate this meditation. Your credits weren’t used; please try again.",
	"hold_ended":       "This meditation was interrupted for too long, and we couldn’t finish it. Your credits weren’t used.",
}

const failureUnknown = "Something went wrong while this meditation was being made. Your credits weren’t used."

// refundMessage tells a member that what was paid for is gone, and that its price is back.
func refundMessage(credits int32) string {
	if credits == 1 {
		return "Its sound was lost. Your credit is back."
	}
	return fmt.Sprintf("Its sound was lost. Your %d credits are back.", credits)
}

func failureMessage(reason string) string {
	if sentence, ok := failureMessages[reason]; ok {
		return sentence
	}
	return failureUnknown
}
