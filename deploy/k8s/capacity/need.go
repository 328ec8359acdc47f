package main

const day = 86400.0

// busy is how much of its processors a program may use in the busiest hour; the rest is for a zone that is lost and for bursts.
const busy = 0.6

// Need is what one demand needs.
type Need struct {
	// Processors of each program in the busiest hour, at busy.
	Processors map[string]float64
	// Rows and Files after a year, Events at the broker at any time, Spoken the store of sentences: bytes.
	Rows, Files, Events, Spoken float64
	// Log is the write-ahead log in the busiest hour, Sound what goes to members then: bytes a second.
	Log, Sound float64
	// Egress is the sound of a month in bytes.
	Egress float64
}

// eventsKept is how long the broker keeps events, in days.
const eventsKept = 30

// spokenBytes is the store of all sentences by all narrators (services/generation/README.md, "How large it grows").
const spokenBytes = 12 * gib

// Of works out the need.
func Of(d Demand) Need {
	n := Need{Processors: map[string]float64{}, Spoken: spokenBytes}
	atPeak := peak() / day
	for _, s := range sizes {
		made := d.Meditations * s.Share
		n.Processors["narration"] += made * atPeak * (s.Spoken + d.Kept*(s.Kept-s.Spoken)) / busy
		n.Rows += made * s.Rows * d.Stay
		n.Files += made * s.File * d.Stay
		n.Events += made * s.Events * eventsKept
		n.Log += made * atPeak * s.Log
		n.Sound += made * d.Heard * atPeak * s.File
		n.Egress += made * d.Heard * s.File * 30
	}
	for _, o := range operations {
		times := d.Members * d.Active * o.ADay
		n.Processors[o.Program] += times * atPeak * o.Cost / busy
		n.Log += times * atPeak * o.Log
	}
	n.Rows += d.Members * member.Rows
	n.Events += d.Members / 365 * member.Events * eventsKept
	return n
}

// Prices are what a cloud asks, in pounds a month; a site puts its provider's in.
type Prices struct{ Processor, DatabaseGiB, ObjectGiB, EgressGiB float64 }

// listPrices are of the order of the public price lists of large providers in Europe, without discounts.
func listPrices() Prices {
	return Prices{Processor: 18, DatabaseGiB: 0.15, ObjectGiB: 0.018, EgressGiB: 0.05}
}

// Cost is a month in pounds, by what it is for.
type Cost struct{ Processors, Databases, Files, Egress float64 }

// Month is what a need costs a month. Databases count three times: two replicas beside the first.
func (p Prices) Month(n Need) Cost {
	var all float64
	for _, processors := range n.Processors {
		all += processors
	}
	return Cost{
		Processors: all * p.Processor, Databases: 3 * n.Rows / gib * p.DatabaseGiB,
		Files: (n.Files + n.Spoken) / gib * p.ObjectGiB, Egress: n.Egress / gib * p.EgressGiB,
	}
}
