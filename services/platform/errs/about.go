package errs

import (
	"fmt"
	"math"
	"time"
)

// About says a waiting time as a person would, never shorter than it is.
func About(wait time.Duration) string {
	switch seconds, minutes := int(math.Ceil(wait.Seconds())), int(math.Ceil(wait.Minutes())); {
	case seconds <= 10:
		return "a few seconds"
	case seconds <= 50:
		return fmt.Sprintf("about %d seconds", (seconds+9)/10*10)
	case minutes == 1:
		return "about a minute"
	case minutes <= 90:
		return fmt.Sprintf("about %d minutes", minutes)
	default:
		return fmt.Sprintf("about %d hours", int(math.Ceil(wait.Hours())))
	}
}
