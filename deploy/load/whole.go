package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"serein.app/deploy/e2e/harness"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
	"serein.app/services/testkit/bare"
)

// Readers are the connections that read at once; wholeRuns of each reading are made, side by side in time with the
// others so that a disturbance does not meet one of them alone. The median counts.
const (
	readers   = 8
	wholeRuns = 3
)

// listed is how many meditations the member has whose list is read.
const listed = 3

// reading is one request, sent again and again.
type reading struct {
	name, method, url, body string
	header                  http.Header

	rates, used []float64
}

// measureWhole reads through the running product, every service a process of its own with the real PostgreSQL, and
// holds each figure against bare handlers in processes of their own, in the same run.
func measureWhole(ctx context.Context, b *bench) (figures []Figure, err error) {
	product, leave, err := openProduct(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, leave()) }()
	member, err := reader(ctx, product)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ours, limits, err := readings(ctx, product, member)
	if err != nil {
		return nil, err
	}
	if err := b.readAll(ctx, append(ours[:len(ours):len(ours)], limits...)); err != nil {
		return nil, err
	}
	return wholeFigures(ours, limits), nil
}

// reader is a member with a few meditations.
func reader(ctx context.Context, product *harness.Harness) (*harness.Member, error) {
	member, err := product.NewMember(ctx)
	if err != nil {
		return nil, err
	}
	for i := range listed {
		made, err := member.Generate(ctx, harness.SmallRequest(titles[i]))
		if err != nil {
			return nil, err
		}
		if _, err := member.AwaitEnd(ctx, made.GetId()); err != nil {
			return nil, err
		}
	}
	return member, nil
}

// Limits by their place in what readings gives.
const (
	limitHop = iota
	limitPage
	limitHandler
)

// readings are what is asked of the product, and of the bare handlers.
func readings(ctx context.Context, product *harness.Harness, member *harness.Member) (ours, limits []*reading, err error) {
	cookies, err := member.CookieHeader()
	if err != nil {
		return nil, nil, err
	}
	signedIn := http.Header{"Cookie": {cookies}}
	page, err := product.NewBrowser().Get(ctx, "/")
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(product.Dir, "visitors-page.html")
	if err := os.WriteFile(file, []byte(page.Body), 0o600); err != nil {
		return nil, nil, err
	}
	if limits, err = bareReadings(ctx, file); err != nil {
		return nil, nil, err
	}
	return []*reading{
		call("session of a member", product.URL()+webv1connect.SessionServiceGetSessionProcedure, "{}", signedIn),
		{name: "boot page of a member", method: http.MethodGet, url: product.URL() + "/journey", header: signedIn},
		call("list of bespoke meditations", product.URL()+webv1connect.JourneyServiceListBespokeProcedure, "{}", signedIn),
		{name: "page of a visitor", method: http.MethodGet, url: product.URL() + "/"},
	}, limits, nil
}

func bareReadings(ctx context.Context, page string) ([]*reading, error) {
	service, err := startBare(ctx, bareService)
	if err != nil {
		return nil, err
	}
	hop, err := startBare(ctx, bareHop, service)
	if err != nil {
		return nil, err
	}
	same, err := startBare(ctx, barePage, page)
	if err != nil {
		return nil, err
	}
	handler, err := startBare(ctx, bareHandler)
	if err != nil {
		return nil, err
	}
	return []*reading{
		limitHop:     call("bare hop", hop+webv1connect.GeneratorServiceGetMeditationProcedure, `{"id":"`+bare.ID+`"}`, nil),
		limitPage:    {name: "bare handler of the same page", method: http.MethodGet, url: same},
		limitHandler: {name: "bare handler of 2 bytes", method: http.MethodGet, url: handler},
	}, nil
}

// call is an RPC as the app sends it.
func call(name, url, body string, header http.Header) *reading {
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	header.Set("X-Serein", "1")
	header.Set("Sec-Fetch-Site", "same-origin")
	return &reading{name: name, method: http.MethodPost, url: url, body: body, header: header}
}

// readAll measures every reading in turn, round after round.
func (b *bench) readAll(ctx context.Context, all []*reading) error {
	for i := range wholeRuns {
		b.say("  run %d of %d", i+1, wholeRuns)
		for _, r := range all {
			if err := b.read(ctx, r); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
	}
	return nil
}

// read lets every connection send the reading for a while.
func (b *bench) read(ctx context.Context, r *reading) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers, DisableCompression: true}}
	defer client.CloseIdleConnections()
	during := max(b.during/5, 100*time.Millisecond)
	cost, err := costing(func() (float64, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		var done atomic.Int64
		var all sync.WaitGroup
		began := time.Now()
		for range readers {
			all.Go(func() {
				for ctx.Err() == nil && time.Since(began) < during {
					if err := r.send(ctx, client); err != nil {
						cancel(err)
					}
					done.Add(1)
				}
			})
		}
		all.Wait()
		return float64(done.Load()) / time.Since(began).Seconds(), context.Cause(ctx)
	})
	r.rates, r.used = append(r.rates, cost.rate), append(r.used, cost.each().N)
	return err
}

// send reads one answer to its end.
func (r *reading) send(ctx context.Context, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	if r.header != nil {
		req.Header = r.header.Clone()
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if err == nil && res.StatusCode != http.StatusOK {
		return fmt.Errorf("answered %s", res.Status)
	}
	return err
}

// wholeFigures holds rates and processor times against the limits, and asks for what the product promises.
func wholeFigures(ours, limits []*reading) []Figure {
	hop, page := limits[limitHop], limits[limitPage]
	asked := []struct {
		limit *reading
		ratio float64
	}{{hop, 0.8}, {hop, 0.8}, {hop, 0.45}, {page, 0.8}}
	var rates, used []Figure
	for i, r := range ours {
		limit := asked[i].limit
		rates = append(rates, r.rate().against(limit.name, median(limit.rates)).atLeast(asked[i].ratio))
		used = append(used, r.processorTime().against(limit.name, median(limit.used)))
	}
	visitor, handler := ours[len(ours)-1], limits[limitHandler]
	rates = append(rates, visitor.rate().against(handler.name, median(handler.rates)))
	return append(rates, used...)
}

func (r *reading) rate() Figure {
	return Figure{Name: r.name, Value: Quantity{median(r.rates), "/s"}}
}

func (r *reading) processorTime() Figure {
	return Figure{Name: r.name + ", processor time", Value: Quantity{median(r.used), "µs"}}
}
