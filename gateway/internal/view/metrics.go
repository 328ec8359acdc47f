package view

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// cause of a drop.
type cause string

const (
	causeAct   cause = "own_act"
	causeEvent cause = "event"
)

// counts are one part's figures.
type counts struct {
	misses, drops metric.Int64Counter
	age           metric.Float64Histogram
	part          metric.MeasurementOption
	causes        map[cause]metric.MeasurementOption
}

// newCounts makes the figures that README.md explains.
func newCounts(part string, meter metric.Meter) (*counts, error) {
	misses, merr := meter.Int64Counter("serein.gateway.view.misses", metric.WithUnit("{answer}"),
		metric.WithDescription("Answers that a service was asked for; many beside the count of `age`: events are not heard, or members come once"))
	drops, derr := meter.Int64Counter("serein.gateway.view.drops", metric.WithUnit("{answer}"),
		metric.WithDescription("Answers forgotten before their time, by `cause`: `own_act`, `event`"))
	age, aerr := meter.Float64Histogram("serein.gateway.view.age", metric.WithUnit("s"),
		metric.WithDescription("Answers about a member that needed no question to a service, by their age in seconds; a page takes one of "+
			"each part, and none above 2 s: no watermarks arrive"), metric.WithExplicitBucketBoundaries(0.1, 0.5, 1, 2, 5, 15, 30, 60))
	named := attribute.String("part", part)
	c := &counts{misses: misses, drops: drops, age: age, part: metric.WithAttributeSet(attribute.NewSet(named)), causes: map[cause]metric.MeasurementOption{}}
	for _, cause := range []cause{causeAct, causeEvent} {
		c.causes[cause] = metric.WithAttributeSet(attribute.NewSet(named, attribute.String("cause", string(cause))))
	}
	return c, errors.Join(merr, derr, aerr)
}

// hit counts an answer that needed no question; how many there were the histogram says.
func (c *counts) hit(age time.Duration) { c.age.Record(context.Background(), age.Seconds(), c.part) }

func (c *counts) miss() { c.misses.Add(context.Background(), 1, c.part) }

func (c *counts) drop(cause cause) { c.drops.Add(context.Background(), 1, c.causes[cause]) }

// observe shows how far each source has been heard.
func observe(sources []*Source, meter metric.Meter) error {
	_, err := meter.Float64ObservableGauge("serein.gateway.view.behind", metric.WithUnit("s"),
		metric.WithDescription("Time since the moment up to which every change is certain to have arrived, in seconds, by `source` (a "+
			"service); above 2: answers last 2 s alone; no row: no watermark has arrived"),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			for _, s := range sources {
				if behind, heard := s.behind(); heard {
					o.Observe(behind.Seconds(), metric.WithAttributes(attribute.String("source", s.service)))
				}
			}
			return nil
		}))
	return err
}
