// Package deadline makes the limits of calls longer where a machine is slow: under a debugger or an emulator, or beside much other work.
// DEADLINE_SCALE multiplies them; the process reads it once. It owns no limit itself: each stands where its call is made.
package deadline

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// variable names the environment variable, a number from 1 to most.
const variable, most = "DEADLINE_SCALE", 100

var scale, fault = read(os.Getenv(variable))

func read(text string) (float64, error) {
	if text == "" {
		return 1, nil
	}
	given, err := strconv.ParseFloat(text, 64)
	if err != nil || !(given >= 1 && given <= most) { // also NaN
		return 1, fmt.Errorf("%s: want a number from 1 to %d", variable, most)
	}
	return given, nil
}

// Err says that DEADLINE_SCALE is no number from 1 to 100. Limits are then as they stand; a service does not start.
func Err() error { return fault }

// Of is a limit of this process.
func Of(limit time.Duration) time.Duration { return time.Duration(float64(limit) * scale) }
