package keeping

import (
	"slices"

	"serein.app/services/content/internal/reading"
)

// Difference is what has to go out of a list and what has to come into it, for it to hold the wanted items. The last wanted comes first,
// so that the first one is the newest.
func Difference(kept []Kept, wanted []reading.Item) (removed, added []reading.Item) {
	missing := map[reading.Item]bool{}
	for _, i := range wanted {
		missing[i] = true
	}
	for _, k := range kept {
		if !missing[k.Item] {
			removed = append(removed, k.Item)
		}
		delete(missing, k.Item)
	}
	for _, i := range wanted {
		if missing[i] {
			added = append(added, i)
			delete(missing, i)
		}
	}
	slices.Reverse(added)
	return removed, added
}
