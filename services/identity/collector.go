package identity

import "runtime/debug"

// heapGrowth is how much a process allocates, in percent of what it keeps, before the garbage collector runs. A hash of a password takes
// 19 MiB, about as much as the process keeps: with Go's 100 the collector runs at almost every hash and takes an eighth of a sign-in.
const heapGrowth = 400

// Collect sets the garbage collector for a process that serves identity alone. GOMEMLIMIT bounds its memory.
func Collect() { debug.SetGCPercent(heapGrowth) }
