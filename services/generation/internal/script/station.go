package script

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxStations is how many stations a path has at most.
const maxStations = 12

// atStation begins the tag of a block that names a station, "station:crown". It holds where the script comes by that station.
const atStation = "station:"

func (at *station) tag() string { return atStation + strings.ReplaceAll(at.name, " ", "-") }

// keepsPromises checks that each station which a block of the path names is one of its stations, and that one beginning names none:
// which stations a script comes by is known when its path is chosen.
func (s *sheet) keepsPromises() error {
	known := func(tag string) bool {
		return !strings.HasPrefix(tag, atStation) ||
			slices.ContainsFunc(s.stations, func(at *station) bool { return at.tag() == tag })
	}
	unknown := ""
	s.each("", func(_ string, b *block) {
		if i := slices.IndexFunc(b.needs, func(tag string) bool { return !known(tag) }); i >= 0 {
			unknown = b.needs[i]
		}
	})
	names := func(b *block) bool {
		return slices.ContainsFunc(b.needs, func(tag string) bool { return strings.HasPrefix(tag, atStation) })
	}
	switch {
	case unknown != "":
		return fmt.Errorf("script: %q is no station of the path", unknown)
	case !slices.ContainsFunc(s.stages["begin"], func(b *block) bool { return !names(b) }):
		return errors.New("script: every beginning of the path names a station")
	}
	return nil
}

// addStation reads "3 hands": the station's rank and its name.
func (s *sheet) addStation(line int, head string) (*station, error) {
	number, name := cut(head)
	rank, err := strconv.Atoi(number)
	switch {
	case err != nil || name == "":
		return nil, fmt.Errorf("a station is a rank and a name, not %q", head)
	case rank < 1 || rank > maxStations:
		return nil, fmt.Errorf("rank %d is not one of 1 to %d", rank, maxStations)
	}
	for _, other := range s.stations {
		if other.rank == rank {
			return nil, fmt.Errorf("rank %d stands twice, at %s and at %s", rank, other.name, name)
		}
	}
	at := &station{rank: rank, line: line, name: name}
	s.stations = append(s.stations, at)
	return at, nil
}

// ranked checks that no rank is missing between 1 and the highest. Two stations never have the same rank, so the
// highest rank is then the number of stations.
func (s *sheet) ranked() error {
	for _, at := range s.stations {
		if at.rank > len(s.stations) {
			return fmt.Errorf("script: line %d: %q has rank %d, but there are %d stations", at.line, at.name, at.rank, len(s.stations))
		}
	}
	return nil
}
