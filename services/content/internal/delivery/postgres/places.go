package postgres

import (
	"serein.app/services/content/internal/delivery/query"
)

// diameter of the Earth in kilometres, by its mean radius of 6371.0088 km (IUGG).
const diameter = "12742.0176"

// coordinate is latitude or longitude of a Location.
func (s *statement) coordinate(row string, t query.Target, which string) string {
	return typed(s.value(row, t, which), "float8")
}

// distance in kilometres from a place, by the haversine formula; null where there is no place.
func (s *statement) distance(row string, t query.Target, from []any) string {
	lat, lon := s.coordinate(row, t, "lat"), s.coordinate(row, t, "lon")
	fromLat, fromLon := s.arg(from[0])+"::float8", s.arg(from[1])+"::float8"
	// PostgreSQL's least leaves null out: without the condition, what has no place would lie half round the Earth.
	return "(CASE WHEN " + lat + " IS NOT NULL AND " + lon + " IS NOT NULL THEN " + diameter +
		" * asin(sqrt(least(1, power(sind((" + lat + " - " + fromLat + ") / 2), 2) + cosd(" + fromLat + ") * cosd(" + lat +
		") * power(sind((" + lon + " - " + fromLon + ") / 2), 2)))) END)"
}

// within is the condition of lying in a circle (lat, lon, kilometres) or in a box (two corners, the south-western first).
// A box whose west is east of its east spans the date line.
func (s *statement) within(row string, f query.Filter) string {
	if len(f.Values) == 3 {
		return s.distance(row, f.Target, f.Values) + " <= " + s.arg(f.Values[2]) + "::float8"
	}
	lat, lon := s.coordinate(row, f.Target, "lat"), s.coordinate(row, f.Target, "lon")
	south, west, north, east := f.Values[0], f.Values[1], f.Values[2], f.Values[3]
	between := " AND "
	if w, _ := west.(float64); w > east.(float64) { //nolint:forcetypeassert // coordinates are numbers
		between = " OR "
	}
	return lat + " >= " + s.arg(south) + "::float8 AND " + lat + " <= " + s.arg(north) + "::float8 AND (" +
		lon + " >= " + s.arg(west) + "::float8" + between + lon + " <= " + s.arg(east) + "::float8)"
}
