package device

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a container may have no zones
)

// areas of the time zone database whose zones are named by a city.
var areas = []string{"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}

// Place is the city of a time zone as browsers tell it, such as "London" of "Europe/London"; empty for one that has no city or does not
// exist. No other word ever comes out, since it stands in letters and anybody may write a link that names a zone.
func Place(zone string) string {
	area, city, ok := strings.Cut(zone, "/")
	if !ok || !slices.Contains(areas, area) {
		return ""
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return ""
	}
	return strings.ReplaceAll(city[strings.LastIndex(city, "/")+1:], "_", " ")
}
