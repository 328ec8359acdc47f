// Package live runs a program in a developer's container and starts it again when Tilt has brought another one. It owns the folder
// that Tilt writes to, and the life of the program; what is brought there, and when, is Tilt's.
package live

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Again is the signal that starts the program again. Tilt sends it after it has written the last file, so that a file that is half
// written is never started.
const Again = syscall.SIGHUP

// Program is what a container runs.
type Program struct {
	// Image is the folder of the image that has the program and the files that may change with it.
	Image string
	// Volume is a folder that can be written to. Where it does not exist the program runs from Image and never changes.
	Volume string
	// Name is the program's path in Image.
	Name string
	// Args are its arguments.
	Args []string
	// Out and Err take what it prints.
	Out, Err io.Writer
}

// Run runs the program until it ends by itself or because of a signal other than Again, and gives its code, which is 128 and the
// signal's number where a signal has ended it. The program gets every signal.
func (p Program) Run(signals <-chan os.Signal) (code int, err error) {
	folder, err := p.folder()
	if err != nil {
		return 0, err
	}
	for again := true; again; {
		if again, code, err = p.once(filepath.Join(folder, p.Name), signals); err != nil {
			return 0, err
		}
	}
	return code, nil
}

// folder is where the program runs from: a copy of Image in Volume, which lasts as long as the pod, so that a container that starts
// again has what Tilt has brought to the one before it. The copy appears at once or not at all.
func (p Program) folder() (string, error) {
	if _, err := os.Stat(p.Volume); errors.Is(err, fs.ErrNotExist) {
		return p.Image, nil
	}
	now, next := filepath.Join(p.Volume, "now"), filepath.Join(p.Volume, "next")
	if _, err := os.Stat(now); err == nil {
		return now, nil
	}
	if err := os.RemoveAll(next); err != nil {
		return "", err
	}
	if err := os.CopyFS(next, os.DirFS(p.Image)); err != nil {
		return "", err
	}
	return now, os.Rename(next, now)
}

// once runs the program one time. again says that it has ended to be started again.
func (p Program) once(path string, signals <-chan os.Signal) (again bool, code int, err error) {
	cmd := exec.Command(path, p.Args...) //nolint:noctx // its end is decided by signals
	cmd.Stdout, cmd.Stderr = p.Out, p.Err
	if err := cmd.Start(); err != nil {
		return false, 0, fmt.Errorf("start %s: %w", p.Name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case signal := <-signals:
			if again = signal == Again; again {
				signal = syscall.SIGTERM
			}
			if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return false, 0, fmt.Errorf("signal %s: %w", p.Name, err)
			}
		case err := <-ended:
			code, err := codeOf(err)
			return again, code, err
		}
	}
}

// codeOf is the code of a program that has ended with err, as a shell gives it.
func codeOf(err error) (int, error) {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return 0, err
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	if bySignal := exit.ExitCode() < 0; ok && bySignal {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
