package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

// fewOwn and manyOwn are the meditations of the two members whose My Journey is read.
const (
	fewOwn  = 10
	manyOwn = 10_000
)

// measureJourney reads the first page of a member's own meditations, and the numbers of the tabs, through the running product: of a
// member who has many, held against the same of one who has few.
func measureJourney(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	var pages, counts []*reading
	for _, n := range []int{fewOwn, manyOwn} {
		header, err := owner(ctx, product, n)
		if err != nil {
			return nil, err
		}
		pages = append(pages, call(fmt.Sprintf("first page of %s own", thousands(int64(n))), product.URL()+webv1connect.JourneyServiceListBespokeProcedure, "{}", header))
		counts = append(counts, call(fmt.Sprintf("numbers of My Journey with %s own", thousands(int64(n))), product.URL()+webv1connect.JourneyServiceGetJourneyProcedure, "{}", header))
	}
	if err := b.readAll(ctx, append(pages[:len(pages):len(pages)], counts...)); err != nil {
		return nil, err
	}
	for _, of := range [][]*reading{pages, counts} {
		few, many := of[0], of[1]
		figures = append(figures,
			many.processorTime().against(few.name, median(few.used)).atMost(mostOfFew),
			many.rate().against(few.name, median(few.rates)))
	}
	return figures, nil
}

// mostOfFew is what a list of many may cost, as a multiple of one of few.
const mostOfFew = 1.5

// owner is the header of a member with n finished meditations.
func owner(ctx context.Context, product *harness.Harness, n int) (http.Header, error) {
	member, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	if err := giveOwn(ctx, product, member, n); err != nil {
		return nil, err
	}
	if err := analyse(ctx, product, "generation"); err != nil {
		return nil, err
	}
	page, err := member.Journey.ListBespoke(ctx, &webv1.ListBespokeRequest{})
	if err != nil {
		return nil, err
	}
	if got := int(page.GetTotal()); got != n {
		return nil, fmt.Errorf("a list of %d says that it has %d", n, got)
	}
	cookies, err := member.CookieHeader()
	return http.Header{"Cookie": {cookies}}, err
}

// giveOwn gives the member n finished meditations.
func giveOwn(ctx context.Context, product *harness.Harness, member *harness.Member, n int) error {
	if _, err := harness.SQL[int](ctx, product, "generation", readySQL+"gen_random_uuid()"+readyRestSQL, member.UID, n); err != nil {
		return fmt.Errorf("%d own meditations: %w", n, err)
	}
	return nil
}
