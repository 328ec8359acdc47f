// Package country names countries, the same on pages and on receipts.
package country

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Name is a country's English name by its ISO 3166 code; what is none stands as it is.
func Name(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil || !region.IsCountry() {
		return code
	}
	return display.Regions(language.BritishEnglish).Name(region)
}
