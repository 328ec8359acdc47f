package main

import (
	"context"
	"fmt"

	"serein.app/deploy/e2e/harness"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

var titles = []string{"A quiet morning by the lake", "After a long day", "Before I sleep", "Room to breathe", "The walk home"}

// request varies everything that a member can choose.
func request(form *webv1.GetGeneratorResponse, i int) *webv1.GenerateRequest {
	w := harness.SmallRequest(titles[i%len(titles)])
	w.SizeId = form.GetSizes()[i%len(form.GetSizes())].GetId()
	w.TypeId = form.GetTypes()[i%len(form.GetTypes())].GetId()
	w.PracticeId = form.GetPractices()[i%len(form.GetPractices())].GetId()
	if w.Immersive = i%2 == 1; w.GetImmersive() {
		w.TrackId = form.GetTracks()[i%len(form.GetTracks())].GetId()
	}
	return w
}

// awaitTracks hears every ambient track once. A first start makes them behind the scenes, for
// some seconds of all processors, and who asks for one waits until it is there.
func awaitTracks(ctx context.Context, product *harness.Harness) error {
	visitor := product.NewBrowser()
	form, err := visitor.Generator.GetGenerator(ctx, &webv1.GetGeneratorRequest{})
	if err != nil {
		return err
	}
	for _, track := range form.GetTracks() {
		if err := fetch(ctx, visitor, track.GetUrl()); err != nil {
			return fmt.Errorf("track %s: %w", track.GetId(), err)
		}
	}
	return nil
}
