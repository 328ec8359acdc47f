package main

// Demand is how many members there are and what they do. All of it is an assumption.
type Demand struct {
	Members float64
	// Meditations that all members together ask for on a day.
	Meditations float64
	// Active is the share of members who come on a day.
	Active float64
	// Kept is the share of the sentences that are found in the store of spoken sentences, which has room for all of them.
	Kept float64
	// Heard is how often a recording is heard in the end, the first time included.
	Heard float64
	// Stay is how long a meditation is kept, in days: until its member or the member's leaving removes it.
	Stay float64
}

// tenMillion is the demand that docs/capacity.md works out: a million meditations a day.
func tenMillion() Demand {
	return Demand{Members: 10e6, Meditations: 1e6, Active: 0.12, Kept: 0.85, Heard: 2.5, Stay: 365}
}

// of is the same demand of another number of members.
func (d Demand) of(members float64) Demand {
	d.Meditations *= members / d.Members
	d.Members = members
	return d
}

// hours is the share of a day's meditations that members ask for in each hour: few at night, some at noon, most before sleep.
var hours = [24]float64{
	0.020, 0.010, 0.006, 0.005, 0.008, 0.020, 0.045, 0.060, 0.050, 0.040, 0.036, 0.040,
	0.050, 0.046, 0.038, 0.034, 0.036, 0.044, 0.054, 0.062, 0.080, 0.098, 0.078, 0.040,
}

// peak is the busiest hour's rate as a multiple of the day's mean.
func peak() float64 {
	var most, all float64
	for _, share := range hours {
		most, all = max(most, share), all+share
	}
	return most / (all / float64(len(hours)))
}
