package seeding

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

const (
	// assetsFile says what the files of assetsFolder are.
	assetsFile   = "assets.yaml"
	assetsFolder = "assets"
)

// readAssets reads the pictures; a house may have none.
func (r *reader) readAssets() {
	data, err := fs.ReadFile(r.files, assetsFile)
	if err == nil {
		if n := r.parse(assetsFile, 0, string(data), yaml.SequenceNode); n != nil {
			for _, element := range n.Content {
				r.readAsset(element)
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.fault(assetsFile, 0, err)
	}
	r.checkPictures()
}

// readAsset reads one: its id, title, description and file.
func (r *reader) readAsset(n *yaml.Node) {
	at := Place{assetsFile, n.Line}
	said := map[string]string{}
	if err := n.Decode(&said); err != nil {
		r.fault(assetsFile, n.Line, errors.New("this must be fields with texts"))
		return
	}
	if !r.take(entry.Link{Kind: entry.KindAsset, ID: said["id"]}, at) {
		return
	}
	file, name := path.Join(assetsFolder, said["file"]), said["file"]
	content, err := fs.ReadFile(r.files, file)
	if err != nil {
		r.fault(assetsFile, n.Line, err)
		return
	}
	// A seed waits as long as it takes.
	described, _, err := assets.Make(context.Background(), name, content)
	if err != nil {
		r.fault(file, 0, err)
		return
	}
	fields := entry.Fields{"file": {locale: described.Value()}}
	for field, text := range said {
		switch field {
		case "id", "file":
		case "title", "description":
			fields[field] = map[string]any{locale: text}
		default:
			r.fault(assetsFile, n.Line, fmt.Errorf("a picture has no %s", field))
			return
		}
	}
	r.contents.Files = append(r.contents.Files, File{name, content, at})
	r.contents.Items = append(r.contents.Items, Item{Place: at, Seed: store.Seed{
		Key: entry.Key{Environment: entry.Master, Kind: entry.KindAsset, ID: said["id"]}, Draft: entry.Draft{Fields: fields},
		File: assetsFile, Hash: hash([]any{"asset", fields}),
	}})
}

// checkPictures names files that no picture has.
func (r *reader) checkPictures() {
	named := map[string]bool{}
	for _, f := range r.contents.Files {
		named[f.Name] = true
	}
	files, _ := fs.ReadDir(r.files, assetsFolder) // a house may have none
	for _, f := range files {
		if !named[f.Name()] {
			r.fault(path.Join(assetsFolder, f.Name()), 0, errors.New("no picture has this file, or it has a fault"))
		}
	}
}
