package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
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

	// limit of it, and what share of that is asked for.
	limit *reading
	share float64

	rates, used []float64
}

// measureWhole reads through the running product, each service in a separate process with the real PostgreSQL. It
// compares each figure with that of bare handlers in separate processes, in the same run.
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
	return wholeFigures(ours), nil
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

// openArticle is an article of Serein's that everybody may read.
const openArticle = "/articles/before-you-press-send"

// readings are what is asked of the product, each with its limit, and the bare handlers that are the limits.
func readings(ctx context.Context, product *harness.Harness, member *harness.Member) (ours, limits []*reading, err error) {
	cookies, err := member.CookieHeader()
	if err != nil {
		return nil, nil, err
	}
	hop, err := bareHopReading(ctx)
	if err != nil {
		return nil, nil, err
	}
	signedIn := http.Header{"Cookie": {cookies}}
	ours, limits = []*reading{
		call("session of a member", product.URL()+webv1connect.SessionServiceGetSessionProcedure, "{}", signedIn).against(hop, 0.8),
		page("boot page of a member", product.URL()+"/journey", signedIn).against(hop, 0.8),
		call("list of bespoke meditations", product.URL()+webv1connect.JourneyServiceListBespokeProcedure, "{}", signedIn).against(hop, 0.45),
	}, []*reading{hop}
	for _, r := range []struct {
		*reading
		asked float64
	}{
		{page("page of a visitor", product.URL()+"/", nil), 0.8},
		{page("open article", product.URL()+openArticle, nil), 0.7},
		{page("memberships page of a visitor", product.URL()+"/memberships", nil), 0.7},
		{page("library page of a member", product.URL()+"/meditation-library", signedIn), 0.7},
	} {
		same, err := r.bare(ctx, product.Dir)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.name, err)
		}
		ours, limits = append(ours, r.against(same, r.asked)), append(limits, same)
	}
	return ours, limits, nil
}

// bareHopReading is a call through two bare processes.
func bareHopReading(ctx context.Context) (*reading, error) {
	service, err := startBare(ctx, bareService)
	if err != nil {
		return nil, err
	}
	through, err := startBare(ctx, bareHop, service)
	return call("bare hop", through+webv1connect.GeneratorServiceGetMeditationProcedure, `{"id":"`+bare.ID+`"}`, nil), err
}

// bare starts a handler that writes the bytes that the page's answer is now, its header too, without its compression: readers ask
// for none. It is sent the same request, since cookies take time to read.
func (r *reading) bare(ctx context.Context, dir string) (*reading, error) {
	req, err := r.request(ctx)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	answer, err := httputil.DumpResponse(res, true)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, strings.ReplaceAll(r.name, " ", "-")+".http")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		return nil, err
	}
	address, err := startBare(ctx, barePage, file)
	return page("bare handler of the same page", address, nil), err
}

// page is a document as a browser asks for it.
func page(name, url string, header http.Header) *reading {
	return &reading{name: name, method: http.MethodGet, url: url, header: header}
}

// against holds the reading against a limit, and asks for a share of it.
func (r *reading) against(limit *reading, share float64) *reading {
	r.limit, r.share = limit, share
	return r
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

func (r *reading) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, strings.NewReader(r.body))
	if err == nil && r.header != nil {
		req.Header = r.header.Clone()
	}
	return req, err
}

// send reads one answer to its end.
func (r *reading) send(ctx context.Context, client *http.Client) error {
	req, err := r.request(ctx)
	if err != nil {
		return err
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
func wholeFigures(ours []*reading) []Figure {
	var rates, used []Figure
	for _, r := range ours {
		rates = append(rates, r.rate().against(r.limit.name, median(r.limit.rates)).atLeast(r.share))
		used = append(used, r.processorTime().against(r.limit.name, median(r.limit.used)))
	}
	return append(rates, used...)
}

func (r *reading) rate() Figure {
	return Figure{Name: r.name, Value: Quantity{median(r.rates), "/s"}}
}

func (r *reading) processorTime() Figure {
	return Figure{Name: r.name + ", processor time", Value: Quantity{median(r.used), "µs"}}
}
