package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/testkit/bare"
)

// The gateway's cost in proportion to what it stands on, all over real sockets:
//
//	go test -run '^$' -bench '^BenchmarkGateway' -benchtime 5s ./gateway
//
// BareHandler and BareEcho are net/http and connect-go doing nothing; BareHop is a handler that
// forwards to one connect-go service over HTTP/1.1 and does nothing else. SignedInRead is ours
// with session check, limits, headers and a proved hop; the target is half of BareHop.

func BenchmarkGatewayBareHandler(b *testing.B) {
	server := httptest.NewServer(bare.Handler(http.Header{"Content-Type": {"application/json"}}, []byte("{}")))
	defer server.Close()
	hammer(b, server.URL, "/", "{}", nil)
}

func BenchmarkGatewayBareEcho(b *testing.B) {
	server := httptest.NewServer(bare.Echo())
	defer server.Close()
	hammer(b, server.URL, getSession, "{}", nil)
}

func BenchmarkGatewayBareHop(b *testing.B) {
	service := httptest.NewServer(bare.Service())
	defer service.Close()
	server := httptest.NewServer(bare.Hop(service.URL))
	defer server.Close()
	hammer(b, server.URL, generator+"GetMeditation", `{"id":"`+bare.ID+`"}`, nil)
}

func signedIn(b *testing.B) (*stack, http.Header) {
	b.Helper()
	s := start(b, 1, scaled(1e6), func(_ *Config, p *settings) { p.now = time.Now })
	member := s.member(b)
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	return s, http.Header{"Cookie": {"__Host-serein=" + member.cookie("__Host-serein")}, "X-Serein": {"1"}}
}

func BenchmarkGatewaySignedInRead(b *testing.B) {
	s, header := signedIn(b)
	hammer(b, s.gateways[0].URL, generator+"GetMeditation", `{"id":"`+mine+`"}`, header)
}

func BenchmarkGatewaySession(b *testing.B) { // two hops in parallel
	s, header := signedIn(b)
	hammer(b, s.gateways[0].URL, getSession, "{}", header)
}

func BenchmarkGatewayGenerator(b *testing.B) { // two hops in parallel
	s, header := signedIn(b)
	hammer(b, s.gateways[0].URL, generator+"GetGenerator", "{}", header)
}

func BenchmarkGatewayBootPage(b *testing.B) { // two hops in parallel
	s, header := signedIn(b)
	hammerGet(b, s.gateways[0].URL+"/members", header)
}

func BenchmarkGatewayVisitorPage(b *testing.B) {
	s := start(b, 1, scaled(1e6))
	hammerGet(b, s.gateways[0].URL+"/", http.Header{})
}

// BareFilledPage writes the bytes of FilledPage and does nothing else; the target is 0.7 of it.
func BenchmarkGatewayBareFilledPage(b *testing.B) {
	s := start(b, 1, scaled(1e6), func(_ *Config, p *settings) { p.now = time.Now })
	s.services.rewrite(openSlug, longRead)
	page := s.gateways[0].browser(b).get(b, "/articles/"+openSlug)
	page.Header.Del("Date") // net/http's own
	server := httptest.NewServer(bare.Handler(page.Header, []byte(page.body)))
	defer server.Close()
	hammerGet(b, server.URL+"/articles/"+openSlug, http.Header{})
}

func BenchmarkGatewayFilledPage(b *testing.B) {
	s := start(b, 1, scaled(1e6), func(_ *Config, p *settings) { p.now = time.Now })
	s.services.rewrite(openSlug, longRead)
	hammerGet(b, s.gateways[0].URL+"/articles/"+openSlug, http.Header{})
}

// longRead is an article of some 800 words; its page has them twice, as markup and as the app's answer.
func longRead(a *article) { a.rest = strings.Repeat("<p>"+strings.Repeat("quiet ", 80)+"</p>", 10) }

func hammerGet(b *testing.B, target string, header http.Header) {
	b.Helper()
	drive(b, func() *http.Request {
		req, _ := http.NewRequest(http.MethodGet, target, nil)
		req.Header = header.Clone()
		return req
	})
}

func hammer(b *testing.B, base, path, body string, header http.Header) {
	b.Helper()
	drive(b, func() *http.Request {
		req, _ := http.NewRequest(http.MethodPost, base+path, strings.NewReader(body))
		if header != nil {
			req.Header = header.Clone()
		}
		req.Header.Set("Content-Type", "application/json")
		return req
	})
}

// drive sends from eight clients a core over kept connections.
func drive(b *testing.B, make func() *http.Request) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	defer client.CloseIdleConnections()
	b.SetParallelism(8)
	b.ReportAllocs()
	before := processorTime(b)
	var waits samples
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var own []time.Duration
		defer func() { waits.add(own) }()
		for pb.Next() {
			began := time.Now()
			res, err := client.Do(make())
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusOK {
				b.Errorf("status %d", res.StatusCode)
				return
			}
			own = append(own, time.Since(began))
		}
	})
	b.StopTimer()
	b.ReportMetric(waits.percentile(99).Seconds()*1000, "p99-ms")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/req")
}

// samples gathers the waits of all clients.
type samples struct {
	mu  sync.Mutex
	all []time.Duration
}

func (s *samples) add(waits []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, waits...)
}

func (s *samples) percentile(p int) time.Duration {
	if len(s.all) == 0 {
		return 0
	}
	slices.Sort(s.all)
	return s.all[(len(s.all)-1)*p/100]
}

// processorTime of the whole process: client, gateway and service. Unlike the rate it does not
// depend on who else uses the machine.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkGatewayLibraryPage(b *testing.B) { // one copy for all subscribers
	s, header := signedIn(b)
	hammerGet(b, s.gateways[0].URL+"/library", header)
}
