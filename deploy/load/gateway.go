package main

import (
	"context"
	"time"
)

// read is a page or call of the gateway, as its benchmark is called, and the bare thing that
// does the same with nothing around it.
type read struct{ name, bench, bare, bareName string }

var reads = []read{
	{"signed-in read, one service behind", "GatewaySignedInRead", "GatewayBareHop", "bare hop"},
	{"session, two services", "GatewaySession", "GatewayBareHop", "bare hop"},
	{"generator, two services", "GatewayGenerator", "GatewayBareHop", "bare hop"},
	{"boot page of a member, two services", "GatewayBootPage", "GatewayBareHop", "bare hop"},
	{"boot page of a visitor", "GatewayVisitorPage", "GatewayBareHandler", "bare handler"},
	{"bare hop", "GatewayBareHop", "GatewayBareEcho", "bare echo"},
	{"bare echo", "GatewayBareEcho", "GatewayBareHandler", "bare handler"},
}

// gatewayRuns of each benchmark, side by side in time with the others, so that a disturbance
// does not meet one of them alone; the median counts.
const gatewayRuns = 3

// measureGateway runs the gateway's own benchmarks: clients, gateway and services in one
// process, over real sockets.
func measureGateway(ctx context.Context, b *bench) ([]Figure, error) {
	found := results{}
	for i := range gatewayRuns {
		b.say("  run %d of %d", i+1, gatewayRuns)
		run, err := goBench(ctx, "gateway", "^BenchmarkGateway", max(b.during/5, 100*time.Millisecond), 1)
		if err != nil {
			return nil, err
		}
		found.add(run)
	}
	var figures []Figure
	for _, r := range reads {
		rate, err := r.figure(found, "req/s", "/s")
		if err != nil {
			return nil, err
		}
		if r.bench == "GatewaySignedInRead" {
			rate = rate.atLeast(0.5)
		}
		figures = append(figures, rate)
	}
	for _, r := range reads {
		wait, err := r.figure(found, "p99-ms", "ms")
		if err != nil {
			return nil, err
		}
		used, err := r.figure(found, "cpu-µs/req", "µs")
		if err != nil {
			return nil, err
		}
		wait.Name += ", p99"
		used.Name += ", processor time"
		figures = append(figures, wait, used)
	}
	return figures, nil
}

func (r read) figure(found results, metric, unit string) (Figure, error) {
	ours, err := found.get(r.bench, metric)
	if err != nil {
		return Figure{}, err
	}
	bare, err := found.get(r.bare, metric)
	return Figure{Name: r.name, Value: Quantity{ours, unit}}.against(r.bareName, bare), err
}
