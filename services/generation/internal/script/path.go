package script

import (
	"cmp"
	"slices"
	"strings"
)

// practice walks one path: a beginning, the stations with one return from wandering in their middle, and what goes deeper.
func (d *draft) practice(paths []*sheet, p *plan) {
	way := d.path(paths, p.stations)
	stops := d.stops(way, p.stations)
	d.promise(stops)
	r := d.run(part{p.practice.passages, len(stops) + besideStations})
	half := (len(stops) + 1) / 2
	r.speak(way, "begin", 1)
	r.visit(stops[:half])
	r.pass()
	r.wander(way)
	r.pass()
	r.visit(stops[half:])
	r.speak(d.outside(way), "deepen", 1)
}

// promise lets those blocks be spoken that name stations which the script comes by.
func (d *draft) promise(stops []stop) {
	for _, s := range stops {
		if s.station != nil {
			d.scene.tags[s.station.tag()] = true
		}
	}
}

// path chooses among those that have the most of the stations that are asked for: the one that was written for the type, unless the
// member's last script walked it, or else the one that this member has not walked for the longest time.
func (d *draft) path(paths []*sheet, n int) *sheet {
	best, most := []*sheet{}, -1
	for _, way := range paths {
		has := d.offers(way, n)
		if has > most {
			best, most = nil, has
		}
		if has == most {
			best = append(best, way)
		}
	}
	age := func(way *sheet) int { return d.memory.stage(way.stages["begin"]) }
	if i := slices.IndexFunc(best, func(way *sheet) bool { return way.isForType() && age(way) > 0 }); i >= 0 {
		return best[i]
	}
	return longestAgo(best, age, d.rng)[0]
}

// ofType begins the tag of a script's type, "type:anger".
const ofType = "type:"

// isForType says that a path was written for one type.
func (s *sheet) isForType() bool {
	return slices.ContainsFunc(s.only, func(tag string) bool { return strings.HasPrefix(tag, ofType) })
}

// offers says how many of n stations a path has for this title, and -1 for a path that does not suit.
func (d *draft) offers(way *sheet, n int) int {
	lacks := func(tag string) bool { return !d.scene.tags[tag] }
	if slices.ContainsFunc(way.only, lacks) || len(d.suitable(way.stages["begin"])) == 0 {
		return -1
	}
	return min(len(d.open(way)), d.ownStations(n))
}

// ownStations is how many of n stations belong to the practice: where a title is met in the room, two thirds at least of
// what is done is done outside the body.
func (d *draft) ownStations(n int) int {
	if d.scene.tags[lookOutward] {
		return n / 3
	}
	return n
}

// outside answers where what stands beside the stations is taken from.
func (d *draft) outside(way *sheet) *sheet {
	if d.scene.tags[lookOutward] {
		return d.lib.common["anchors"]
	}
	return way
}

// maxStuck is how often a draft may fail at a station before the next ones leave it out.
const maxStuck = 3

// open are the stations of a path that have a block for this title.
func (d *draft) open(way *sheet) []*station {
	return slices.DeleteFunc(slices.Clone(way.stations), func(at *station) bool {
		return d.stuck[at] >= maxStuck || len(d.suitable(at.blocks)) == 0
	})
}

// promised is the highest rank of the stations that the beginning of a path may promise: a script comes by them first.
const promised = 3

// stations of a path that have a block for this title: those that are promised by rank, then the others, first those that
// have what this member has not been told for the longest time.
func (d *draft) stations(way *sheet) []*station {
	can := d.open(way)
	isPromised := func(at *station) bool { return at.rank <= promised }
	first := slices.DeleteFunc(slices.Clone(can), func(at *station) bool { return !isPromised(at) })
	slices.SortFunc(first, func(x, y *station) int { return cmp.Compare(x.rank, y.rank) })
	return append(first, longestAgo(slices.DeleteFunc(can, isPromised), func(at *station) int { return d.freshest(at.blocks) }, d.rng)...)
}

// freshest is the age of the block that was spoken longest ago.
func (d *draft) freshest(blocks []*block) int {
	age := 0
	for _, b := range d.suitable(blocks) {
		age = max(age, d.memory.block(b))
	}
	return age
}

// stop is one place to come by, and what can be said there. It is a station of the path, or nil outside the body.
type stop struct {
	station *station
	blocks  []*block
}

// stops are n places in the order in which they are spoken: those outside the body first, then the stations that come
// first, in the order of the file. Where the path has too few, stations are spoken twice.
func (d *draft) stops(way *sheet, n int) (stops []stop) {
	own := d.stations(way)
	own = own[:min(len(own), d.ownStations(n))]
	out := 0
	if d.scene.tags[lookOutward] {
		out = n - len(own)
	}
	anchors := d.suitable(d.lib.common["anchors"].stages["method"])
	for range out {
		stops = append(stops, stop{nil, anchors})
	}
	twice := n - out - len(own)
	for _, at := range way.stations {
		if !slices.Contains(own, at) {
			continue
		}
		stops = append(stops, stop{at, at.blocks})
		if twice > 0 && len(d.suitable(at.blocks)) > 1 {
			stops = append(stops, stop{at, at.blocks})
			twice--
		}
	}
	return stops
}

// visit speaks one block at each stop.
func (r *run) visit(stops []stop) {
	for _, s := range stops {
		before := r.err
		if r.draw(r.suitable(s.blocks), "station"); before == nil && r.err != nil {
			r.stuck[s.station]++
		}
	}
}

// wander says how the mind strays and comes back: in the words of the title's theme, unless the member knows all of these and
// knows the path's less.
func (r *run) wander(way *sheet) {
	from := r.outside(way)
	if theme := r.themed("wander", from); r.freshest(theme.stages["wander"]) >= r.freshest(from.stages["wander"]) {
		from = theme
	}
	r.speak(from, "wander", 1)
}
