package stack

import (
	"context"
	"log/slog"
)

// Open reads the addresses, keys and databases of a stack that another process runs from the same
// data folder. The returned stack has no parts to start or stop.
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
