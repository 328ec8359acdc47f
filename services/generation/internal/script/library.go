package script

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed words
var files embed.FS

// library is all the words, by folder and file name.
type library struct {
	common, practices, types, images, themes map[string]*sheet
}

// words reads the embedded files once; they never change afterwards.
var words = sync.OnceValues(func() (*library, error) {
	lib := &library{}
	for folder, into := range map[string]*map[string]*sheet{
		"common": &lib.common, "practices": &lib.practices, "types": &lib.types,
		"images": &lib.images, "themes": &lib.themes,
	} {
		sheets, err := read(folder)
		if err != nil {
			return nil, err
		}
		*into = sheets
	}
	return lib, nil
})

func read(folder string) (map[string]*sheet, error) {
	names, err := fs.Glob(files, path.Join("words", folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	sheets := map[string]*sheet{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if sheets[strings.TrimSuffix(path.Base(name), ".txt")], err = parse(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return sheets, nil
}
