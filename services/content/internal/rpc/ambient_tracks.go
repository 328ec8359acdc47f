package rpc

import (
	"context"
	"slices"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/reading"
)

// offered are the ambient tracks that editors publish, in their order; those of the house while there are none.
func (c *Catalogue) offered(ctx context.Context) ([]*contentv1.AmbientTrack, error) {
	pages, err := c.tracks.Pages(ctx, "immersiveTrack")
	if err != nil {
		return nil, err
	}
	reading.InOrder(pages)
	var files []string
	for _, page := range pages {
		files = append(files, page.Link("file"))
	}
	paths, err := c.tracks.Sounds(ctx, files)
	if err != nil {
		return nil, err
	}
	var all []*contentv1.AmbientTrack
	for _, page := range pages {
		if track := c.track(page, paths[page.Link("file")]); track != nil {
			all = append(all, track)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	for _, t := range c.offer.Tracks {
		all = append(all, c.ofTheHouse(t.ID, t.Name, t.ID))
	}
	return all, nil
}

// track of an entry: a file's, or a sound of the house; nil for one that has neither.
func (c *Catalogue) track(page reading.Page, file string) *contentv1.AmbientTrack {
	sound := page.Text("sound")
	switch {
	case file != "":
		return &contentv1.AmbientTrack{Id: page.ID, Name: page.Text("name"), Path: file}
	case slices.ContainsFunc(c.offer.Tracks, func(t catalogue.Track) bool { return t.ID == sound }):
		return c.ofTheHouse(page.ID, page.Text("name"), sound)
	}
	return nil
}

func (c *Catalogue) ofTheHouse(id, name, sound string) *contentv1.AmbientTrack {
	e := c.sounds.Entry(sound)
	return &contentv1.AmbientTrack{Id: id, Name: name, Path: "tracks/" + e.File, LoopStartMs: e.LoopStartMs, LoopLengthMs: e.LoopLengthMs}
}
