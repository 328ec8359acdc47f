package stack

import (
	"context"
	"log/slog"
)

// Open looks at a stack that another process runs from the same data folder: its addresses,
// keys and databases. It has no parts of its own to start or stop.
func Open(o Options) (*Stack, error) {
	settings, err := openSettings(o.DataDir)
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.Background())
	return &Stack{
		options: o, settings: settings, ctx: life, cancel: cancel,
		log: slog.New(slog.DiscardHandler),
	}, nil
}
