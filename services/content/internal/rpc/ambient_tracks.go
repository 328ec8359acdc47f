package rpc

import (
	"context"
	"slices"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/reading"
)

// offered are the ambient tracks that editors have published, in their order. Without published tracks they are the three built-in ones.
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

// track is the track of an entry: its uploaded file, or the built-in sound that it names. It is nil without either.
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
