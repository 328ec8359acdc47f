// Command capacity works out what a number of members needs, from what one operation costs, and plays a day of the studio.
//
//	go run ./deploy/k8s/capacity                          what ten million members need
//	go run ./deploy/k8s/capacity -members 200000 -day     fewer members, and a day of the studio minute by minute
//	go run ./deploy/k8s/capacity -write                   writes the tables of docs/capacity.md
//
// The costs are those that deploy/load has measured, on the machine that its README names. The habits of members are assumptions; each stands in
// one place, to be replaced by what a site has seen.
package main

// kib and its multiples are numbers of bytes.
const (
	kib = 1024.0
	mib = 1024 * kib
	gib = 1024 * mib
	tib = 1024 * gib
)

// Size is one of the three sizes of a meditation.
type Size struct {
	Name string
	// Share of the meditations that members ask for.
	Share float64
	// Sound is its length in seconds, spoken and silent.
	Sound float64
	// Spoken is the processor time in seconds with no sentence kept, Kept with all of them kept; a real day is between both.
	Spoken, Kept float64
	// Rows, Log, Events and File are what it adds to tables, write-ahead log, broker and files, in bytes.
	Rows, Log, Events, File float64
}

// sizes have the costs of the parts footprint and first-audio (2026-12-01, beside other work). Reset and MiniMed take two thirds and two fifths of
// a Timeout's processor time. Rows and Log of a MiniMed are those of the straight line through the other two, since its round came first and
// filled tables that were empty. The shares are an assumption.
var sizes = []Size{
	{Name: "MiniMed", Share: 0.45, Sound: 212, Spoken: 8.3, Kept: 2.6, Rows: 40 * kib, Log: 75 * kib, Events: 3.4 * kib, File: 1_700 * kib},
	{Name: "Reset", Share: 0.35, Sound: 364, Spoken: 13.8, Kept: 4.3, Rows: 64 * kib, Log: 229 * kib, Events: 3.4 * kib, File: 2_910 * kib},
	{Name: "Timeout", Share: 0.20, Sound: 536, Spoken: 20.7, Kept: 6.5, Rows: 94 * kib, Log: 421 * kib, Events: 3.4 * kib, File: 4_290 * kib},
}

// Member is what one more member adds to tables and events, in bytes; the part footprint has measured it.
var member = struct{ Rows, Log, Events float64 }{76 * kib, 45 * kib, 3.5 * kib}

// Operation is something that members do besides meditations.
type Operation struct {
	Name string
	// ADay is how often an active member does it on a day.
	ADay float64
	// Program that does most of it, and Cost, the processor time of all programs together in seconds.
	Program string
	Cost    float64
	// Log is what it adds to the write-ahead log, in bytes.
	Log float64
}

// operations have costs of the parts whole, billing, selling, events and sign-in; how often they happen is an assumption.
var operations = []Operation{
	{"a page", 3, "gateway", 134e-6, 0},
	{"a question of an open page", 12, "gateway", 165e-6, 0},
	{"a list or a card", 8, "gateway", 638e-6, 0},
	{"a place in a recording, stored", 20, "content", 600e-6, 500},
	{"a sign-in by password", 0.05, "identity", 26e-3, 4 * kib},
	{"an order or a renewal", 0.035, "billing", 20e-3, 30 * kib},
	{"a letter", 0.1, "mail", 5e-3, 6 * kib},
}
