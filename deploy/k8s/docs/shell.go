package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// calls are the programs that a snippet runs, with their words as the shell gives them. None of them runs, and no file is opened.
func calls(snippet string) (found [][]string, err error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(snippet), "")
	if err != nil {
		return nil, err
	}
	if choice(file) {
		return nil, errors.New("a snippet runs all its commands: this one chooses")
	}
	var one sync.Mutex // commands behind & come side by side
	note := func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(_ context.Context, words []string) error {
			one.Lock()
			defer one.Unlock()
			found = append(found, words)
			return nil
		}
	}
	var said bytes.Buffer
	runner, err := interp.New(
		interp.Env(expand.ListEnviron("PATH=/none", "HOME=/none")), interp.Params("-u"),
		interp.StdIO(strings.NewReader("typed\n"), io.Discard, &said),
		interp.ExecHandlers(note), interp.OpenHandler(openNothing),
	)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := runner.Run(ctx, file); err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
	}
	return found, nil
}

// choice says whether a command may be left out: then it would not be checked.
func choice(file *syntax.File) (found bool) {
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.IfClause, *syntax.CaseClause, *syntax.WhileClause:
			found = true
		case *syntax.BinaryCmd:
			found = found || node.Op == syntax.AndStmt || node.Op == syntax.OrStmt
		}
		return true
	})
	return found
}

// nothing is every file of a snippet: empty, and it keeps nothing.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }

func openNothing(context.Context, string, int, os.FileMode) (io.ReadWriteCloser, error) {
	return nothing{}, nil
}
