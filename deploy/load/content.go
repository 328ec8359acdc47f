package main

import "context"

// measureContent runs the delivery API's own benchmarks: the API over HTTP and real PostgreSQL, with the database's own
// answer beside it.
func measureContent(ctx context.Context, b *bench) ([]Figure, error) {
	const dir = "services/content/internal/delivery"
	include, err := goBenchWithDatabase(ctx, dir, "^BenchmarkDeliveryInclude$", b.during/3, 3)
	if err != nil {
		return nil, err
	}
	pages, err := goBenchWithDatabase(ctx, dir, "^BenchmarkDeliveryPages$", b.during/2, 1)
	if err != nil {
		return nil, err
	}
	include.add(pages)
	var figures []Figure
	for _, asked := range []struct {
		name, bench, limitName, limit string
		ratio                         float64
	}{
		{"entries?include=2 of 10,000", "DeliveryInclude/HTTP", "one SQL statement", "DeliveryInclude/SQL", 0.5},
		// A page may cost 1.2 times as much.
		{"page 1,000 of 1,000,000 entries", "DeliveryPages/Thousandth", "page 1", "DeliveryPages/First", 1 / 1.2},
		{"page 1,000 of 1,000,000 entries, by skip", "DeliveryPages/ThousandthBySkip", "page 1", "DeliveryPages/FirstBySkip", 0},
		{"page 10,000, the last, by skip", "DeliveryPages/LastBySkip", "page 1", "DeliveryPages/FirstBySkip", 0},
	} {
		rate, err := include.get(asked.bench, "req/s")
		if err != nil {
			return nil, err
		}
		limit, err := include.get(asked.limit, "req/s")
		if err != nil {
			return nil, err
		}
		f := Figure{Name: asked.name, Value: Quantity{rate, "/s"}}.against(asked.limitName, limit)
		if asked.ratio > 0 {
			f = f.atLeast(asked.ratio)
		}
		figures = append(figures, f)
	}
	found, err := measureSearch(ctx, b)
	return append(figures, found...), err
}

// measureSearch searches 100,000 items, in the ways that cost most: what a hundredth of the searches takes at least, and a
// page far down the list beside the first.
func measureSearch(ctx context.Context, b *bench) (figures []Figure, err error) {
	found, err := goBenchWithDatabase(ctx, "services/content/internal/search/postgres",
		"^BenchmarkSearchOfAHundredThousand$/^(OneWord|TwoWords|Mistyped|FrequentWords|FirstPage|ThousandthPage)$", b.during, 1)
	if err != nil {
		return nil, err
	}
	for _, kind := range []struct{ name, bench string }{
		{"one word", "OneWord"}, {"two words", "TwoWords"}, {"a mistyped word", "Mistyped"}, {"the commonest words", "FrequentWords"},
	} {
		wait, err := found.get("SearchOfAHundredThousand/"+kind.bench, "p99-ms")
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{Name: "search 100,000 items for " + kind.name + ", p99", Value: Quantity{wait, "ms"}}.below(20))
	}
	far, err := found.get("SearchOfAHundredThousand/ThousandthPage", "req/s")
	if err != nil {
		return nil, err
	}
	first, err := found.get("SearchOfAHundredThousand/FirstPage", "req/s")
	if err != nil {
		return nil, err
	}
	return append(figures, Figure{Name: "page 1,000 of 45,000 found", Value: Quantity{far, "/s"}}.against("page 1", first)), nil
}
