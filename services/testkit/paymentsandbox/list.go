package paymentsandbox

import (
	"iter"
	"slices"
)

// Pages have ten things where the caller does not say, and a hundred at most, as Stripe's.
const (
	pageSize    = 10
	maxPageSize = 100
)

// listing is the list parameters that all lists share, with when things were made.
type listing struct {
	limit                          int64
	startingAfter, endingBefore    string
	after, from, before, upTo, one int64
}

func (p *params) listing() listing {
	l := listing{
		limit: p.whole("limit", pageSize, 1), startingAfter: p.text("starting_after"), endingBefore: p.text("ending_before"),
		one: -1, before: -1, upTo: -1,
	}
	if l.limit > maxPageSize {
		p.refuse("limit", "parameter_invalid_integer", "This value must be less than or equal to 100.")
	}
	created := p.part("created")
	if len(created.fields) == 0 {
		l.one = p.whole("created", -1, 0)
		return l
	}
	l.after, l.from = created.whole("gt", -1, 0), created.whole("gte", -1, 0)
	l.before, l.upTo = created.whole("lt", -1, 0), created.whole("lte", -1, 0)
	return l
}

func (l listing) covers(created int64) bool {
	return (l.one < 0 || created == l.one) && (l.after <= 0 || created > l.after) && created >= l.from &&
		(l.before < 0 || created < l.before) && (l.upTo < 0 || created <= l.upTo)
}

// thing is what lists show.
type thing interface {
	id() string
	made() int64
}

// page shows one page of those that are wanted, the newest first. The thing that it begins behind need not be wanted any more.
func page[T thing](l listing, url string, all []T, wanted func(T) bool, show func(T) object) (object, error) {
	at := func(id string) int { return slices.IndexFunc(all, func(item T) bool { return item.id() == id }) }
	newest := all
	switch {
	case l.startingAfter != "":
		i := at(l.startingAfter)
		if i < 0 {
			return nil, unknown("starting_after", "object", l.startingAfter)
		}
		newest = all[:i]
	case l.endingBefore != "":
		i := at(l.endingBefore)
		if i < 0 {
			return nil, unknown("ending_before", "object", l.endingBefore)
		}
		found, more := take(l, slices.Values(all[i+1:]), wanted)
		slices.Reverse(found)
		return showList(url, found, more, show), nil
	}
	found, more := take(l, values(slices.Backward(newest)), wanted)
	return showList(url, found, more, show), nil
}

// take is a page of what comes, and whether more would.
func take[T thing](l listing, from iter.Seq[T], wanted func(T) bool) (found []T, more bool) {
	for item := range from {
		if !l.covers(item.made()) || !wanted(item) {
			continue
		}
		if len(found) == int(l.limit) {
			return found, true
		}
		found = append(found, item)
	}
	return found, false
}

func values[T any](of iter.Seq2[int, T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		of(func(_ int, item T) bool { return yield(item) })
	}
}

func showList[T any](url string, items []T, more bool, show func(T) object) object {
	shown := make([]object, len(items))
	for i, item := range items {
		shown[i] = show(item)
	}
	return object{"object": "list", "url": url, "has_more": more, "data": shown}
}
