package testkit

import "time"

// Patience is how long a test waits for something that must come. It is only reached by what never comes: neither a pause of the
// whole machine nor a slow one adds up to it.
const Patience = 2 * time.Minute
