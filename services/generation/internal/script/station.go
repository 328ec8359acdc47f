package script

import (
	"fmt"
	"strconv"
)

// maxStations is how many stations a path has at most.
const maxStations = 12

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
